import { assert, describe, it } from "@effect/vitest"
import { maskSecret } from "../../src/rcon/trace.ts"

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
  ])("%j without %j", (text, secret, expected) => {
    assert.strictEqual(masked(text, secret), expected)
  })

  it("leaves the original alone", () => {
    const original = bytes("the pw")
    maskSecret(original, bytes("pw"))
    assert.deepStrictEqual(original, bytes("the pw"))
  })
})
