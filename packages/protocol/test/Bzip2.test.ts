import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { inflate } from "../src/Bzip2.ts"
import { fromHex, toHex } from "../src/Hex.ts"
import { MAX_INFLATED_BYTES } from "../src/Limits.ts"
import { compressedRules, rulesReply, streams } from "./bzip2Streams.ts"
import { mutate, seeded } from "./random.ts"

const failureOf = <A, E>(result: Result.Result<A, E>): E => {
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}

describe("inflate", () => {
  for (const { compressed, name, text } of streams) {
    it(`reads what bzip2 writes: ${name}`, () => {
      const inflated = Result.getOrThrow(inflate(compressed, text.length))
      assert.strictEqual(inflated.length, text.length)
      assert.isTrue(inflated.every((byte, i) => byte === text[i]))
    })
  }

  it("ignores what follows the stream", () => {
    const padded = Uint8Array.of(...compressedRules, 0, 1, 2, 3)
    assert.isTrue(Result.isSuccess(inflate(padded, rulesReply.length)))
  })

  it("ends with the first byte too many", () => {
    for (const { compressed, text } of streams.filter(({ name }) => name !== "nothing")) {
      const error = failureOf(inflate(compressed, text.length - 1))
      assert.strictEqual(error._tag, "ChecksumMismatch")
      assert.include(error, { of: "size", expected: text.length - 1, actual: text.length })
    }
  })

  it("tells how much is missing", () => {
    const error = failureOf(inflate(compressedRules, rulesReply.length + 5))
    assert.include(error, { _tag: "ChecksumMismatch", expected: rulesReply.length + 5, actual: rulesReply.length })
  })

  it("refuses an announcement beyond the cap, unread", () => {
    const error = failureOf(inflate(new Uint8Array(0), MAX_INFLATED_BYTES + 1))
    assert.include(error, { _tag: "LimitExceeded", limit: "MAX_INFLATED_BYTES", max: MAX_INFLATED_BYTES })
    assert.strictEqual(failureOf(inflate(compressedRules, rulesReply.length, 100))._tag, "LimitExceeded")
  })

  // 40 bytes whose run-length digits stand for 67 million zeros, and one whose digits exceed 32 bits.
  it.each([
    "425a68393141592653590000000000000040004000200040501400000018bb9229c2848000000000",
    "425a6839314159265359000000000000004000400020004050140000000062ee48a70a120000000000"
  ])("refuses a run that bursts its block: %s", (hex) => {
    assert.strictEqual(failureOf(inflate(fromHex(hex)!, 1000))._tag, "ChecksumMismatch")
    assert.strictEqual(failureOf(inflate(fromHex(hex)!, MAX_INFLATED_BYTES))._tag, "Malformed")
  })

  it.each([
    ["nothing", "", "ends early"],
    ["another format", "1f8b0800", "no bzip2 stream"],
    ["block size 0", "425a6830", "block size"],
    ["neither block nor end", "425a6839ffffffffffffffffffff", "neither"],
    ["a randomised block", "425a68393141592653590000000080", "randomised"]
  ])("refuses %s", (_, hex, reason) => {
    const error = failureOf(inflate(fromHex(hex)!, 10))
    assert.include(error, { _tag: "Malformed", messageTag: "Split", field: "compressed", hex })
    assert.include(error.message, reason)
  })

  it("refuses a stream cut anywhere before its own checksum", () => {
    for (let end = 0; end < compressedRules.length - 5; end++) {
      const error = failureOf(inflate(compressedRules.subarray(0, end), rulesReply.length))
      assert.strictEqual(error._tag, "Malformed")
    }
  })

  it("never throws, and never gives another size, on 10 000 damaged streams", () => {
    const random = seeded(3)
    for (let i = 0; i < 10_000; i++) {
      const damaged = mutate(compressedRules, random)
      const result = inflate(damaged, rulesReply.length)
      if (Result.isSuccess(result)) assert.strictEqual(result.success.length, rulesReply.length, toHex(damaged))
    }
  })
})
