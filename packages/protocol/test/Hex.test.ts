import { describe, expect, it } from "vitest"
import { fromHex, toHex } from "../src/Hex.ts"

describe("hex", () => {
  it("is written in lower case, with two digits for each byte of the given range", () => {
    expect(toHex(Uint8Array.of(0, 10, 255))).toBe("000aff")
    expect(toHex(Uint8Array.of(0, 10, 255), 1, 2)).toBe("0a")
  })

  it("is read in upper case and in lower case", () => {
    expect(fromHex("000aFf")).toEqual(Uint8Array.of(0, 10, 255))
    expect(fromHex("")).toEqual(new Uint8Array(0))
  })

  it.each(["f", "0ff", "0g", "g0", " 00", "00 ", "00\n", "0x00"])("is invalid: %j", (text) => {
    expect(fromHex(text)).toBeUndefined()
  })
})
