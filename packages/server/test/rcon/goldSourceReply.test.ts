import { assert, describe, it } from "@effect/vitest"
import { goldSourceReply, hltvReply, MAX_TEXT_BYTES, quakeReply } from "../../src/rcon/goldSourceReply.ts"

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
const text = (datagram: Uint8Array): string => String.fromCharCode(...datagram)
const HEAD = "\xff\xff\xff\xff"
const noSplit = (): number => assert.fail("nothing has to be split")

describe("goldSourceReply", () => {
  const texts = (reply: string, max: number): ReadonlyArray<string> =>
    goldSourceReply(bytes(reply), max, noSplit).map(text)

  it("returns packets that end with two NULs, and returns one packet for an empty text", () => {
    assert.deepStrictEqual(texts("", 10), [`${HEAD}l\0\0`])
    assert.deepStrictEqual(texts("ok", 10), [`${HEAD}lok\0\0`])
  })

  it("divides a text after the last line end that fits into the packet", () => {
    assert.deepStrictEqual(texts("a\nbc\ndef\n", 5), [`${HEAD}la\nbc\n\0\0`, `${HEAD}ldef\n\0\0`])
    assert.deepStrictEqual(texts("abcd\nef", 5), [`${HEAD}labcd\n\0\0`, `${HEAD}lef\0\0`])
    assert.deepStrictEqual(texts("a\nb", 3), [`${HEAD}la\nb\0\0`])
    assert.deepStrictEqual(texts("abcd\na\nb", 5), [`${HEAD}labcd\n\0\0`, `${HEAD}la\nb\0\0`])
  })

  it("does not divide a line that is longer than a packet", () => {
    assert.deepStrictEqual(texts("abcdefg\nh\nijklmno", 3), [
      `${HEAD}labcdefg\n\0\0`,
      `${HEAD}lh\n\0\0`,
      `${HEAD}lijklmno\0\0`
    ])
    assert.deepStrictEqual(texts("abc\n", 3), [`${HEAD}labc\n\0\0`])
    assert.deepStrictEqual(texts("\nabcdef\n", 3), [`${HEAD}l\n\0\0`, `${HEAD}labcdef\n\0\0`])
  })

  it("returns one datagram if the datagram has at most 1400 bytes, and otherwise fragments", () => {
    const whole = goldSourceReply(bytes("x".repeat(MAX_TEXT_BYTES)), MAX_TEXT_BYTES, noSplit)
    assert.deepStrictEqual(
      whole.map(({ length }) => length),
      [1400]
    )
    const split = goldSourceReply(bytes("x".repeat(MAX_TEXT_BYTES + 1)), MAX_TEXT_BYTES, () => 7)
    assert.deepStrictEqual(
      split.map((datagram) => [...datagram.subarray(0, 9)]),
      [0x02, 0x12].map((number) => [0xfe, 0xff, 0xff, 0xff, 7, 0, 0, 0, number])
    )
    assert.isAtMost(Math.max(...split.map(({ length }) => length)), 1400)
  })
})

describe("hltvReply", () => {
  const texts = (reply: string): ReadonlyArray<string> => hltvReply(bytes(reply)).map(text)

  it("adds an extra byte before the text, and a NUL after the text", () => {
    assert.deepStrictEqual(texts("12345678\n"), [`${HEAD}l\xff12345678\n\0`])
  })

  it("returns no datagram for an empty text", () => {
    assert.deepStrictEqual(texts(""), [])
  })

  it("pads a reply of fewer than 16 bytes to 1400 bytes", () => {
    assert.deepStrictEqual(texts("12345678"), [`${HEAD}l\xff12345678`.padEnd(1400, "\0")])
  })

  it("returns lines of up to 1021 bytes in total, and omits each line that does not fit", () => {
    const long = "x".repeat(1000)
    assert.deepStrictEqual(texts(`${long}\n${"y".repeat(20)}\nz\n`), [`${HEAD}l\xff${long}\nz\n\0`])
    assert.deepStrictEqual(texts(`${long}\n${"y".repeat(20)}`), [`${HEAD}l\xff${long}\n${"y".repeat(20)}\0`])
    assert.deepStrictEqual(texts("x".repeat(1022)), [])
    assert.deepStrictEqual(texts(`\n${"x".repeat(1021)}\nnine more\n`), [`${HEAD}l\xff\nnine more\n\0`])
  })
})

describe("quakeReply", () => {
  const texts = (reply: string): ReadonlyArray<string> => quakeReply(bytes(reply)).map(text)

  it("returns one packet per line, and an empty packet at the end", () => {
    assert.deepStrictEqual(texts(""), [`${HEAD}print\n`])
    assert.deepStrictEqual(texts("\na\nb"), [
      `${HEAD}print\n\n`,
      `${HEAD}print\na\n`,
      `${HEAD}print\nb`,
      `${HEAD}print\n`
    ])
  })

  it("returns packets of several lines if the text has more than 64 lines", () => {
    assert.strictEqual(texts("xyz\n".repeat(64)).length, 65)
    assert.deepStrictEqual(texts("x\n".repeat(65)), [`${HEAD}print\n${"x\n".repeat(65)}`, `${HEAD}print\n`])
  })
})
