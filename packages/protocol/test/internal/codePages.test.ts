import { describe, expect, it } from "vitest"
import { looksCyrillic } from "../../src/internal/codePages.ts"

const votes = (...bytes: ReadonlyArray<number>) => looksCyrillic(Uint8Array.from(bytes), 0, bytes.length)
const [a, z, A, Z] = [0x61, 0x7a, 0x41, 0x5a]

describe("the encoding windows-1251", () => {
  it.each([
    ["a pair of letters that are the first letter of the alphabet", [0xc0, 0xc0]],
    ["Ё before a letter", [0xa8, 0xc6]],
    ["ё before a letter", [0xb8, 0xc6]],
    ["a letter before Ё", [0xc6, 0xa8]],
    ["a letter before ё", [0xc6, 0xb8]],
    ["two letters beside a digit", [0xc0, 0xc1, 0x31]],
    ["two letters beside a brace", [0xc0, 0xc1, 0x7b]],
    ["two letters beside a backtick", [0x60, 0xc0, 0xc1]]
  ])("is detected in %s", (_, bytes) => expect(votes(...bytes)).toBe(true))

  it.each([
    ["one pair of letters with an ASCII letter (a) on the right", [0xc0, 0xc1, a]],
    ["one pair of letters with an ASCII letter (Z) on the right", [0xc0, 0xc1, Z]],
    ["one pair of letters with an ASCII letter (z) on the left", [z, 0xc0, 0xc1]],
    ["one pair of letters with an ASCII letter (A) on the left", [A, 0xc0, 0xc1]],
    ["a pair of letters, and a mark after an ASCII letter", [0xc0, 0xc1, 0x20, a, 0xb4]],
    ["ASCII alone", [a, z]],
    ["Ё alone", [0xa8, 0xb8]],
    ["an empty text", []]
  ])("is not detected in %s", (_, bytes) => expect(votes(...bytes)).toBe(false))

  it("is not detected from bytes outside the given range", () => {
    expect(looksCyrillic(Uint8Array.of(0xc0, 0xc1, 0x20), 1, 3)).toBe(false)
    expect(looksCyrillic(Uint8Array.of(0xc0, 0xc1), 0, 1)).toBe(false)
  })
})
