import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "../../src/internal/crc32.ts"

describe("crc32", () => {
  it.each([
    ["", 0],
    ["123456789", 0xcbf43926],
    ["The quick brown fox jumps over the lazy dog", 0x414fa339]
  ])("equals the reference value for %o", (text, expected) =>
    assert.strictEqual(crc32(new TextEncoder().encode(text)), expected)
  )

  it("is an unsigned number", () => assert.strictEqual(crc32(new Uint8Array(4).fill(0xff)), 0xffffffff))
})
