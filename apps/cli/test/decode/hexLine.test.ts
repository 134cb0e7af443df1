import { toHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { isBlankOrComment, parseHexLine } from "../../src/decode/hexLine.ts"

const parsed = (line: string): ReadonlyArray<string> =>
  Result.getOrThrow(parseHexLine(line)).map((datagram) => toHex(datagram))

const challenge = "ffffffff414ba1d522"

describe("parseHexLine", () => {
  it.each([
    ["one piece", "ffffffff414ba1d522"],
    ["upper case", "FFFFFFFF414BA1D522"],
    ["pairs", "FF FF FF FF 41 4B A1 D5 22"],
    ["groups of two bytes", "ffff ffff 414b a1d5 22"],
    ["groups of four bytes", "ffffffff 414ba1d5 22"],
    ["escapes", "\\xFF\\xFF\\xFF\\xFF\\x41\\x4B\\xA1\\xD5\\x22"],
    ["a prefix before it all", "0xffffffff414ba1d522"],
    ["a list of numbers", "[0xff, 0xff, 0xff, 0xff, 0x41, 0x4b, 0xa1, 0xd5, 0x22]"],
    ["colons", "ff:ff:ff:ff:41:4b:a1:d5:22"],
    ["quotes", '"\\xff\\xff\\xff\\xff" "\\x41\\x4b\\xa1\\xd5\\x22"']
  ])("reads a datagram written in %s", (_, line) => {
    expect(parsed(line)).toEqual([challenge])
  })

  it("takes a challenge of −1 behind a blank for bytes, not for another datagram", () => {
    expect(parsed("ffffffff 55 ffffffff")).toEqual(["ffffffff55ffffffff"])
  })

  it("separates datagrams that each begin like one", () => {
    expect(parsed("feffffff010000000241 FEFFFFFF010000001242")).toEqual([
      "feffffff010000000241",
      "feffffff010000001242"
    ])
  })

  it("says where the text is no hex", () => {
    const wrong = ["ffxx", "fff", ""].map((line) => parseHexLine(line))
    expect(wrong.map((result) => Result.isFailure(result) && result.failure)).toMatchObject([
      { _tag: "Malformed", field: "hex", offset: 1, hex: "ff" },
      { _tag: "Malformed", field: "hex", offset: 1, message: expect.stringContaining("even number") },
      false
    ])
  })
})

describe("isBlankOrComment", () => {
  it("knows what says nothing", () => {
    expect(["", "  ", "# x", "  #", "ff", "ff # x"].map(isBlankOrComment)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false
    ])
  })
})
