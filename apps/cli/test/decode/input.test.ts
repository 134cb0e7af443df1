import { toHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { HEX, spellings } from "../../../../tooling/testing/spellings.ts"
import { fromArguments, fromLines, readDatagrams } from "../../src/decode/input.ts"

const parsed = (line: string): ReadonlyArray<string> =>
  Result.getOrThrow(readDatagrams(line)).map((datagram) => toHex(datagram))

const challenge = "ffffffff414ba1d522"

describe("readDatagrams", () => {
  it.each([
    ["one piece", "ffffffff414ba1d522"],
    ["upper case", "FFFFFFFF414BA1D522"],
    ["pairs", "FF FF FF FF 41 4B A1 D5 22"],
    ["groups of two bytes", "ffff ffff 414b a1d5 22"],
    ["groups of four bytes", "ffffffff 414ba1d5 22"],
    ["escapes", "\\xFF\\xFF\\xFF\\xFF\\x41\\x4B\\xA1\\xD5\\x22"],
    ["a single prefix before all digits", "0xffffffff414ba1d522"],
    ["a list of numbers", "[0xff, 0xff, 0xff, 0xff, 0x41, 0x4b, 0xa1, 0xd5, 0x22]"],
    ["colons", "ff:ff:ff:ff:41:4b:a1:d5:22"],
    ["quotes", '"\\xff\\xff\\xff\\xff" "\\x41\\x4b\\xa1\\xd5\\x22"']
  ])("reads a datagram in this notation: %s", (_, line) => {
    expect(parsed(line)).toEqual([challenge])
  })

  it("does not confuse a challenge of −1 with the header of a second datagram", () => {
    expect(parsed("ffffffff 55 ffffffff")).toEqual(["ffffffff55ffffffff"])
  })

  it("separates two datagrams at the header of the second datagram", () => {
    expect(parsed("feffffff010000000241 FEFFFFFF010000001242")).toEqual([
      "feffffff010000000241",
      "feffffff010000001242"
    ])
  })

  it("reports text that is not hex", () => {
    const wrong = ["ffxx", "fff", ""].map((line) => readDatagrams(line))
    expect(wrong.map((result) => Result.isFailure(result) && result.failure)).toMatchObject([
      { _tag: "Malformed", field: "hex", offset: 1, hex: "ff" },
      { _tag: "Malformed", field: "hex", offset: 1, message: expect.stringContaining("odd number") },
      { _tag: "Malformed", field: "hex", offset: 0 }
    ])
  })
})

const inputs = async (...chunks: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  async function* stream() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk)
  }
  const all = []
  for await (const input of fromLines(stream())) all.push(Result.getOrThrow(input).map((bytes) => toHex(bytes)))
  return all
}

describe("an argument", () => {
  it.each(spellings)("can have this notation: $name", ({ text }) => {
    expect(fromArguments([text]).map((input) => Result.getOrThrow(input).map((bytes) => toHex(bytes)))).toEqual([[HEX]])
  })
})

describe("standard input", () => {
  const oneLine = spellings.filter(({ text }) => !text.includes("\n"))
  const dumps = spellings.filter(({ spelling }) => /dump|tcpdump/.test(spelling))

  it.each(oneLine)("can contain one message per line: $name", async ({ text }) => {
    expect(await inputs(`${text}\r\n# a comment\n\n  ${text}`)).toEqual([[HEX], [HEX]])
  })

  it.each(dumps)(
    "can contain several messages as dumps, with a blank line or a one-line message between two dumps: $name",
    async ({ text }) => {
      const dump = text.replace(/^12:.*\n/, "")
      expect(await inputs(`${dump}\n${dump}\n\n`, `ffffffff69\n${dump}`)).toEqual([[HEX], [HEX], ["ffffffff69"], [HEX]])
    }
  )

  it("can contain the fragments of one message in adjacent dumps", async () => {
    const fragment = (number: string) => `00000000: feff ffff 0700 0000 02${number} 0a00 ff  ............`
    expect(await inputs(`${fragment("00")}\n${fragment("01")}\n`)).toEqual([
      ["feffffff0700000002000a00ff", "feffffff0700000002010a00ff"]
    ])
  })
})
