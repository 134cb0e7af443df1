import { describe, expect, it } from "vitest"
import { fromHex } from "../src/Hex.ts"
import { HEADER_BYTES } from "../src/Wire.ts"
import { beginsWith, connectionless } from "../src/Words.ts"

describe("the text of a datagram", () => {
  it("follows the header", () => {
    expect(connectionless("lo\xff")).toEqual(fromHex("ffffffff6c6fff"))
    expect(connectionless("")).toHaveLength(HEADER_BYTES)
  })

  it("begins with each of its prefixes, and with no other text", () => {
    const datagram = connectionless("print\n")
    expect(["", "p", "print\n"].every((text) => beginsWith(datagram, text))).toBe(true)
    expect(["print\n\0", "P", "rint", "prxnt\n"].some((text) => beginsWith(datagram, text))).toBe(false)
    expect(beginsWith(fromHex("feffffff70")!, "p")).toBe(false)
  })
})
