import { fromHex, toHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { readText } from "../src/readText.ts"
import { HEX, spellings } from "../../../tooling/testing/spellings.ts"

const readHex = (text: string): ReadonlyArray<string> | string => {
  const read = readText(text)
  return read.ok ? read.datagrams.map(({ bytes }) => toHex(bytes)) : read.message
}

describe("a pasted text", () => {
  it.each(spellings)("can be in this notation: $name", ({ spelling, text }) => {
    expect(readHex(text)).toEqual([HEX])
    expect(readText(text)).toMatchObject({ ok: true, spelling })
    expect(readHex(`\n  ${text.replaceAll("\n", "\r\n")}\r\n\r\n`)).toEqual([HEX])
  })

  it.each(spellings)(
    "can contain two datagrams, except if they are escapes without quotation marks: $name",
    ({ text }) => {
      expect(readHex(`${text}\n\n${text}`)).toEqual(hasUnquotedEscapes(text) ? [HEX + HEX] : [HEX, HEX])
    }
  )
  // If the escapes are not in quotation marks, the end of the first datagram cannot be found. Therefore both datagrams are read as one.
  const hasUnquotedEscapes = (text: string): boolean => text.startsWith("\\x")

  it("is read with its source and destination addresses if it contains the IP and UDP headers", () => {
    const read = readText(spellings.find((one) => one.name === "tcpdump -X")!.text)
    expect(read.ok && read.datagrams[0]).toMatchObject({ from: "127.0.0.1:27015", to: "127.0.0.1:40000" })
  })

  it("can contain several fragments of a split reply in one line, separated by spaces", () => {
    expect(readHex("feffffff0700000002000a00ff feffffff0700000002010a00ee")).toEqual([
      "feffffff0700000002000a00ff",
      "feffffff0700000002010a00ee"
    ])
  })

  it.each([
    ["", /no text/],
    ["hello", /not in a known notation/],
    ["ff ff ff f", /odd number/],
    ["ff ff ff ff 49 zz 00", /“zz” is not hex/],
    ["{ 255, 256 }", /256 is not a byte/]
  ])("is rejected with a reason: %j", (text, reason) => {
    expect(readHex(text)).toMatch(reason)
  })

  it("never causes an exception", () => {
    const alphabet = [
      "ff",
      "0x",
      "\\x",
      "'",
      '"',
      "b'",
      "{",
      "}",
      "[",
      ",",
      " ",
      "\n",
      "0000",
      ":",
      "|",
      "*",
      "é",
      "\\",
      "9999"
    ]
    let seed = 7
    const next = (below: number): number => (seed = (seed * 48271) % 0x7fff_ffff) % below
    for (let round = 0; round < 3000; round++) {
      readText(Array.from({ length: next(30) }, () => alphabet[next(alphabet.length)]).join(""))
    }
  })

  it("can contain the star that hexdump writes for repeated lines", () => {
    const text =
      "00000000  ff ff ff ff 6a 00 00 00  00 00 00 00 00 00 00 00  |....j...........|\n00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000040  01                                                |.|\n00000041"
    expect(readHex(text)).toEqual([`ffffffff6a${"00".repeat(0x40 - 5)}01`])
    expect(fromHex(readHex(text)[0]!)!.length).toBe(0x41)
  })
})
