import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fromHex, toHex } from "../src/Hex.ts"
import { isAscii } from "../src/Codec.ts"
import { decodeText, ENCODINGS, encodeText } from "../src/Text.ts"
import type { Encoding } from "../src/Text.ts"

const bytes = (hex: string) => fromHex(hex.replaceAll(" ", ""))!
const decode = (input: Uint8Array, encoding: Encoding) => decodeText(input, 0, input.length, encoding)
const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
const singleByte = ["latin1", "windows-1251", "windows-1252"] as const
/**
 * Whether the bytes are strict UTF-8: each sequence is complete, has the shortest form, and encodes neither a surrogate nor a number above
 * U+10FFFF.
 */
const isUtf8 = (input: Uint8Array) => decode(input, "utf-8").exact
const Bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

describe("single-byte encodings", () => {
  it.each(singleByte)("read and write every byte: %s", (encoding) => {
    const { exact, text } = decode(everyByte, encoding)
    assert.isTrue(exact)
    assert.strictEqual(new Set(text).size, 256)
    assert.strictEqual(toHex(encodeText(text, encoding)!), toHex(everyByte))
  })

  it("result in the same text as TextDecoder if TextDecoder supports the encoding", () => {
    for (const encoding of ["windows-1251", "windows-1252"] as const) {
      assert.strictEqual(decode(everyByte, encoding).text, new TextDecoder(encoding).decode(everyByte))
    }
  })

  it("include ISO 8859-1 as `latin1`, which differs from windows-1252", () => {
    assert.strictEqual(decode(bytes("80 9f ff"), "latin1").text, "\u0080\u009f\u00ff")
  })

  it("cannot encode characters that they lack", () => {
    assert.isUndefined(encodeText("Привет", "windows-1252"))
    assert.isUndefined(encodeText("Zoë", "windows-1251"))
    assert.isUndefined(encodeText("€", "latin1"))
    assert.isUndefined(encodeText("\u0080", "windows-1252"))
    assert.isUndefined(encodeText("😀", "windows-1251"))
  })
})

describe("a text in UTF-8", () => {
  it("is decoded with the byte order mark as its first character", () => {
    for (const encoding of ["utf-8", "auto"] as const) {
      assert.deepStrictEqual(decode(bytes("ef bb bf 41"), encoding), { text: "\ufeffA", exact: true })
    }
  })

  it("is decoded only from the given range of bytes", () => {
    assert.deepStrictEqual(decodeText(bytes("ff c3 ab ff"), 1, 3, "utf-8"), { text: "ë", exact: true })
    assert.deepStrictEqual(decodeText(bytes("ff c3 ab ff"), 1, 1, "auto"), { text: "", exact: true })
  })

  it("is decoded without bytes after the range, even if they would complete the last character", () => {
    for (const encoding of ["utf-8", "auto"] as const) {
      assert.isFalse(decodeText(bytes("c3 ab"), 0, 1, encoding).exact)
      assert.isFalse(decodeText(bytes("41 e2 98 85"), 0, 3, encoding).exact)
    }
    assert.isFalse(decodeText(bytes("f0 9f 98 80"), 0, 3, "utf-8").exact)
  })

  it("is decoded with a replacement character for invalid bytes, and the text is reported as inexact", () => {
    assert.deepStrictEqual(decode(bytes("41 ff 42"), "utf-8"), { text: "A\ufffdB", exact: false })
    assert.deepStrictEqual(decode(bytes("41 e2 98"), "utf-8"), { text: "A\ufffd", exact: false })
  })

  it("is decoded exactly even if it contains the character U+FFFD", () => {
    assert.deepStrictEqual(decode(bytes("ef bf bd"), "auto"), { text: "\ufffd", exact: true })
  })

  it("cannot contain a lone surrogate, and neither can a text in any other encoding", () => {
    for (const encoding of ENCODINGS) {
      assert.isUndefined(encodeText("a\ud83d", encoding))
      assert.isUndefined(encodeText("\ude00\ud83d", encoding))
    }
    assert.strictEqual(toHex(encodeText("\ud83d\ude00", "auto")!), "f09f9880")
  })
})

describe("strict UTF-8", () => {
  it.each([
    "",
    "00 7f",
    "c2 80",
    "df bf",
    "e0 a0 80",
    "ed 9f bf",
    "ee 80 80",
    "ef bf bf",
    "f0 90 80 80",
    "f4 8f bf bf"
  ])("accepts the bytes '%s'", (hex) => assert.isTrue(isUtf8(bytes(hex))))
  it.each([
    ["a continuation byte alone", "80"],
    ["an overlong NUL", "c0 80"],
    ["an overlong slash", "c1 af"],
    ["an overlong form of three bytes", "e0 9f bf"],
    ["an overlong form of four bytes", "f0 8f bf bf"],
    ["a surrogate", "ed a0 80"],
    ["a number above U+10FFFF", "f4 90 80 80"],
    ["a lead byte above F4", "f5 80 80 80"],
    ["an invalid third byte", "e2 98 41"],
    ["an invalid fourth byte", "f0 9f 98 c3"],
    ["a truncated character at the end", "41 e2 98"],
    ["an invalid third byte after other characters", "41 41 e2 98 41"]
  ])("rejects %s", (_, hex) => assert.isFalse(isUtf8(bytes(hex))))

  it.effect.prop("accepts the same bytes as the strict decoder of the platform", { input: Bytes }, ({ input }) =>
    Effect.sync(() => {
      // The random bytes are replaced by bytes that occur in UTF-8 sequences, because valid sequences would otherwise be rare.
      const shapes = [0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0x90]
      const folded = Uint8Array.from(input, (byte) => shapes[byte % shapes.length]!)
      let valid = true
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(folded)
      } catch {
        valid = false
      }
      return isUtf8(folded) === valid
    })
  )
})

it("the last ASCII byte is 7F", () => {
  assert.deepStrictEqual(
    [0x7f, 0x80].map((byte) => isAscii(Uint8Array.of(byte), 0, 1)),
    [true, false]
  )
})

describe("the encoding auto", () => {
  it.each(["ÄÖÜ ★ Привет", "日本サーバー", "😀", "plain"])("reads UTF-8: %s", (text) => {
    assert.deepStrictEqual(decode(new TextEncoder().encode(text), "auto"), { text, exact: true })
  })

  it("reads a single byte above 7F as a character of a code page", () => {
    assert.deepStrictEqual(decode(bytes("80"), "auto"), { text: "€", exact: false })
  })

  it("reads UTF-8 that is truncated within its last character", () => {
    assert.deepStrictEqual(decode(bytes("d09f d180 d0"), "auto"), { text: "Пр\ufffd", exact: false })
    assert.deepStrictEqual(decode(bytes("c3ab e298"), "auto"), { text: "ë\ufffd", exact: false })
    assert.deepStrictEqual(decode(bytes("c3ab f09f98"), "auto"), { text: "ë\ufffd", exact: false })
  })

  it("reads malformed UTF-8 as text of a code page", () => {
    assert.deepStrictEqual(decode(bytes("c3ab 80"), "auto"), { text: "Ã«€", exact: false })
    assert.deepStrictEqual(decode(bytes("c3ab f041"), "auto"), { text: "Ã«ðA", exact: false })
    assert.deepStrictEqual(decode(bytes("c3ab e29841"), "auto"), { text: "Ã«â˜A", exact: false })
  })

  it("does not treat a single byte above 7F at the end as truncated UTF-8", () => {
    assert.deepStrictEqual(decode(bytes("436166 e9"), "auto"), { text: "Café", exact: false })
  })

  it.each([
    "Привет",
    "Русский сервер №1",
    "[RU] Только для своих | Public 18+",
    "Ёлка",
    "ещё",
    "DJ_Вася",
    "ProИгрок",
    "КЛАН «Волки»",
    "Київ",
    "Беларусь",
    "Вася и Петя @ de_dust2",
    "Мясорубка 24/7 [CS-Арена]",
    "ЛюБиТеЛь"
  ])("reads windows-1251: %s", (text) => {
    assert.deepStrictEqual(decode(encodeText(text, "windows-1251")!, "auto"), { text, exact: false })
  })

  it.each([
    "Café Zürich",
    "Straßenkämpfer",
    "Übergrößen",
    "FRÉDÉRIC créée à la française",
    "Configuração do Servidor",
    "Não é São João",
    "Señor Núñez, ¿qué?",
    "Måns på Öland",
    "Þórður",
    "it´s 20° · 5€ “quoted”",
    "nº 1",
    "°º¤ø,¸¸,ø¤º°`",
    "·.¸¸.·´¯`·.¸¸.·",
    "Clan™ ®",
    "Müller"
  ])("reads windows-1252: %s", (text) => {
    assert.deepStrictEqual(decode(encodeText(text, "windows-1252")!, "auto"), { text, exact: false })
  })

  it.each(["bf f3 b3 74 79", "a3 f3 64 9f", "8c 63 69 b9 67 61"])(
    "does not decode Polish text in windows-1250 as Russian: %s",
    (hex) => assert.notMatch(decode(bytes(hex), "auto").text, /[\u0400-\u04ff]/)
  )
})

describe("decodeText", () => {
  for (const encoding of ENCODINGS) {
    it.effect.prop(`decodes an encoded text to the same text: ${encoding}`, { text: Schema.String }, ({ text }) =>
      Effect.sync(() => {
        const encoded = encodeText(text, encoding)
        if (encoded === undefined) return true
        const decoded = decode(encoded, encoding)
        return decoded.text === text && decoded.exact
      })
    )

    it.effect.prop(
      `returns \`exact: true\` if and only if the decoded text can be encoded to the same bytes: ${encoding}`,
      { input: Bytes },
      ({ input }) =>
        Effect.sync(() => {
          const given = Uint8Array.from(input)
          const { exact, text } = decode(given, encoding)
          const back = encodeText(text, encoding)
          return exact === (back !== undefined && toHex(back) === toHex(given))
        })
    )
  }
})
