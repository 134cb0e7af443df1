import { describe, expect, it } from "vitest"
import { fromHex } from "../src/Hex.ts"
import { HEADER_BYTES } from "../src/Wire.ts"
import { beginsWith, connectionless } from "../src/Words.ts"

describe("32-bit words of a datagram", () => {
  it("follow the header", () => {
    expect(connectionless("lo\xff")).toEqual(fromHex("ffffffff6c6fff"))
    expect(connectionless("")).toHaveLength(HEADER_BYTES)
  })

  it("are read as far as there are bytes", () => {
    const datagram = connectionless("print\n")
    expect(["", "p", "print\n"].every((text) => beginsWith(datagram, text))).toBe(true)
    expect(["print\n\0", "P", "rint", "prxnt\n"].some((text) => beginsWith(datagram, text))).toBe(false)
    expect(beginsWith(fromHex("feffffff70")!, "p")).toBe(false)
  })
})
