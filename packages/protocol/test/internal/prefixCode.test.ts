import { describe, expect, it } from "vitest"
import { BitReader, Corrupt } from "../../src/internal/bunzip2/bits.ts"
import { PrefixCode, readPrefixCode } from "../../src/internal/bunzip2/prefixCode.ts"

const bits = (...bytes: ReadonlyArray<number>) => new BitReader(Uint8Array.from(bytes))

describe("a prefix code", () => {
  it("decodes code words of different lengths, including code words that begin in one byte and end in the next byte", () => {
    const code = new PrefixCode(Uint8Array.of(1, 2, 2))
    const reader = bits(0b0_10_11_10_0, 0, 0, 0)
    expect([0, 1, 2, 3].map(() => code.read(reader))).toEqual([0, 1, 2, 1])
    const zeros = bits(0b1000_0000, 0, 0b0000_1100, 0)
    expect(Array.from({ length: 20 }, () => code.read(zeros))).toEqual([1, ...Array.from({ length: 18 }, () => 0), 2])
  })

  it("is rejected if a code word is shorter than 1 bit or longer than 20 bits", () => {
    // The first five bits are the length of the first code word. In the bits after them, 10 adds 1 to this length, 11 subtracts 1 from the
    // length, and 0 means that the length is final.
    expect(() => readPrefixCode(bits(0b10100_10_0, 0), 1)).toThrow(Corrupt)
    expect(() => readPrefixCode(bits(0b00001_11_0, 0), 1)).toThrow(Corrupt)
    expect(readPrefixCode(bits(0b10100_0_00, 0), 1)).toBeInstanceOf(PrefixCode)
  })
})
