import { assert, describe, it } from "@effect/vitest"
import { encodeText, ENCODINGS } from "@sourcewire/protocol/wire"
import { ReplyText } from "../../src/rcon/replyText.ts"

describe("ReplyText", () => {
  const text = "hostname: Zoë ★ 𝄞 привет अ – \n"
  const bytes = encodeText(text, "utf-8")!

  it.each(["utf-8", "auto"] as const)(
    "returns complete characters even if a character is divided between two parts: %s",
    (encoding) => {
      for (let first = 0; first <= bytes.length; first++) {
        for (let second = first; second <= bytes.length; second++) {
          const reader = new ReplyText(encoding)
          const pieces = [
            reader.push(bytes.subarray(0, first)),
            reader.push(bytes.subarray(first, second)),
            reader.push(bytes.subarray(second)),
            reader.end()
          ]
          assert.strictEqual(pieces.join(""), text)
          assert.isFalse(pieces.some((piece) => piece.includes("\ufffd")))
        }
      }
    }
  )

  it.each(ENCODINGS.filter((encoding) => encoding !== "auto" && encoding !== "utf-8"))(
    "reads %s byte by byte, and returns the character of each byte immediately",
    (encoding) => {
      const sample = encoding === "windows-1251" ? "привет" : "Zoë"
      const reader = new ReplyText(encoding)
      const pieces = [...encodeText(sample, encoding)!].map((byte) => reader.push(Uint8Array.of(byte)))
      assert.strictEqual([...pieces, reader.end()].join(""), sample)
      assert.isFalse(pieces.includes(""))
    }
  )

  it("returns complete characters, and replacements for invalid bytes, without waiting for the next part", () => {
    for (const whole of ["a", "ë", "★", "𝄞", "अ", "–"]) {
      assert.strictEqual(new ReplyText("utf-8").push(encodeText(whole, "utf-8")!), whole)
    }
    assert.strictEqual(new ReplyText("utf-8").push(Uint8Array.of(0xe2, 0x61)), "\ufffda")
  })

  it("returns a replacement for an incomplete character at the end of the reply", () => {
    const reader = new ReplyText("utf-8")
    assert.strictEqual(reader.push(Uint8Array.of(0x61, 0xe2, 0x98)), "a")
    assert.strictEqual(reader.end(), "\ufffd")
  })
})
