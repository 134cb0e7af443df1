import { assert, describe, it } from "@effect/vitest"
import { type DecodeError, Malformed } from "@sourcewire/protocol"
import { maskHex, maskSecret, maskText, SecretMask } from "../../src/rcon/secretMask.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const masked = (text: string, secret: string) => new TextDecoder().decode(maskSecret(bytes(text), bytes(secret)))

describe("maskSecret", () => {
  it.each([
    ['rcon 5 "pw" status', "pw", 'rcon 5 "********" status'],
    ["pwpw pw", "pw", "**************** ********"],
    ["ppw", "pw", "p********"],
    ["aab aaab", "aab", "******** a********"],
    ["nothing here", "pw", "nothing here"],
    ["half p", "pw", "half p"],
    ["", "pw", ""],
    ["any", "", "any"],
    ["Zoë", "ë", "Zo********"]
  ])("masks every occurrence of the secret (text: %j, secret: %j)", (text, secret, expected) => {
    assert.strictEqual(masked(text, secret), expected)
  })

  it("does not change the original bytes", () => {
    const original = bytes("the pw")
    maskSecret(original, bytes("pw"))
    assert.deepStrictEqual(original, bytes("the pw"))
  })
})

/** Whether `whole` contains all characters of `part` in the same order. */
const isSubsequence = (part: string, whole: string): boolean => {
  let at = 0
  for (const character of whole) if (character === part[at]) at++
  return at === part.length
}

describe("SecretMask", () => {
  const shown = (pieces: ReadonlyArray<string>, secret: string) => {
    const mask = new SecretMask(bytes(secret))
    return pieces.map((piece) => new TextDecoder().decode(mask.push(bytes(piece))))
  }

  it.each(["secret", "aab", "abab", "s", "off"])(
    "reveals no part of the secret %j, wherever the text is divided into parts",
    (secret) => {
      // Outside the secret, the first text contains no character of any secret in this test, so none of these characters is masked. The
      // second text contains `a` and `s`, with which some of the secrets begin, so these characters may be masked.
      for (const [text, isExact] of [
        [`1 ${secret}, 2${secret}${secret}.`, true],
        [`it is ${secret}, a${secret}${secret}.`, false]
      ] as const) {
        const clear = text.replaceAll(secret, "")
        for (let first = 0; first <= text.length; first++) {
          for (let second = first; second <= text.length; second++) {
            const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
            const visible = shown(pieces, secret).join("").replaceAll("*", "")
            if (isExact) assert.strictEqual(visible, clear, JSON.stringify(pieces))
            else assert.isTrue(isSubsequence(visible, clear), JSON.stringify({ pieces, visible }))
          }
        }
      }
    }
  )

  it("reveals no part of the secret if the text arrives byte by byte", () => {
    assert.deepStrictEqual(shown([..."my secret"], "secret"), [
      "m",
      "y",
      " ",
      ...Array.from("secret", () => "********")
    ])
  })

  it("returns each part immediately and unchanged if no part contains the secret or ends with its first characters", () => {
    assert.deepStrictEqual(shown(["hello ", "", "world\n"], "secret"), ["hello ", "", "world\n"])
    assert.deepStrictEqual(shown(["anything"], ""), ["anything"])
  })

  it("masks the beginning of the secret at the end of a part, because the rest of the secret may follow", () => {
    assert.deepStrictEqual(shown(["the sec", "ond one"], "secret"), ["the ********", "ond one"])
  })
})

describe("maskHex", () => {
  it("masks the password in the bytes of an error, even if the bytes end within the password", () => {
    const hex = (text: string) => Buffer.from(text).toString("hex")
    const error = new Malformed({ message: "m", messageTag: "t", field: "f", offset: 3, hex: hex("a secret, a sec") })
    const shown = maskHex(error, bytes("secret"))
    assert.deepInclude(shown, { _tag: "Malformed", message: "m", field: "f", offset: 3 })
    assert.strictEqual((shown as Malformed).hex, hex("a ********, a ********"))
  })
})

describe("the masking functions", () => {
  it("return the same text, or a copy of the same bytes, if the secret is empty", () => {
    const none = new Uint8Array(0)
    const original = bytes("any")
    assert.strictEqual(maskText("any", ""), "any")
    assert.strictEqual(maskText("any", "n"), "a********y")
    for (const shown of [maskSecret(original, none), new SecretMask(none).push(original)]) {
      assert.deepStrictEqual(shown, original)
      assert.notStrictEqual(shown.buffer, original.buffer)
    }
  })

  it("return an error unchanged if the error contains no bytes", () => {
    const error = { _tag: "LimitExceeded", message: "too much", limit: "MAX", max: 1 } as DecodeError
    assert.strictEqual(maskHex(error, bytes("pw")), error)
  })
})
