import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { inflate } from "../src/Bzip2.ts"
import { fromHex, toHex } from "../src/Hex.ts"
import { MAX_INFLATED_BYTES } from "../src/Limits.ts"
import { compressedRules, rulesReply, streams } from "./bzip2Streams.ts"
import { mutate, seeded } from "./random.ts"

const getFailure = <A, E>(result: Result.Result<A, E>): E => {
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}

describe("inflate", () => {
  for (const { compressed, name, text } of streams) {
    it(`decompresses a stream of the bzip2 program: ${name}`, () => {
      const inflated = Result.getOrThrow(inflate(compressed, text.length))
      assert.strictEqual(inflated.length, text.length)
      assert.isTrue(inflated.every((byte, i) => byte === text[i]))
    })
  }

  it("ignores bytes after the end of the stream", () => {
    const padded = Uint8Array.of(...compressedRules, 0, 1, 2, 3)
    assert.isTrue(Result.isSuccess(inflate(padded, rulesReply.length)))
  })

  it("returns an error if the decompressed text is one byte longer than announced", () => {
    for (const { compressed, text } of streams.filter(({ name }) => name !== "nothing")) {
      const error = getFailure(inflate(compressed, text.length - 1))
      assert.strictEqual(error._tag, "ChecksumMismatch")
      assert.include(error, { of: "size", expected: text.length - 1, actual: text.length })
    }
  })

  it("reports the announced and the actual size if the decompressed text is shorter than announced", () => {
    const error = getFailure(inflate(compressedRules, rulesReply.length + 5))
    assert.include(error, { _tag: "ChecksumMismatch", expected: rulesReply.length + 5, actual: rulesReply.length })
  })

  it("rejects an announced size above the maximum without reading the stream", () => {
    const error = getFailure(inflate(new Uint8Array(0), MAX_INFLATED_BYTES + 1))
    assert.include(error, { _tag: "LimitExceeded", limit: "MAX_INFLATED_BYTES", max: MAX_INFLATED_BYTES })
    assert.strictEqual(getFailure(inflate(compressedRules, rulesReply.length, 100))._tag, "LimitExceeded")
  })

  // The first stream has 40 bytes, but its run-length digits encode 67 million zeros. The run-length
  // digits of the second stream encode a number of more than 32 bits.
  it.each([
    "425a68393141592653590000000000000040004000200040501400000018bb9229c2848000000000",
    "425a6839314159265359000000000000004000400020004050140000000062ee48a70a120000000000"
  ])("rejects a run that exceeds its block: %s", (hex) => {
    assert.strictEqual(getFailure(inflate(fromHex(hex)!, 1000))._tag, "ChecksumMismatch")
    assert.strictEqual(getFailure(inflate(fromHex(hex)!, MAX_INFLATED_BYTES))._tag, "Malformed")
  })

  it.each([
    ["an empty input", "", "ends early"],
    ["another format", "1f8b0800", "no header of a bzip2 stream"],
    ["block size 0", "425a6830", "block size"],
    ["data that is neither a block nor the end of the stream", "425a6839ffffffffffffffffffff", "neither"],
    ["a randomised block", "425a68393141592653590000000080", "randomised"]
  ])("rejects %s", (_, hex, reason) => {
    const error = getFailure(inflate(fromHex(hex)!, 10))
    assert.include(error, { _tag: "Malformed", messageTag: "Split", field: "compressed", hex })
    assert.include(error.message, reason)
  })

  // These tests write their streams bit by bit. All streams begin with the same header and the same origin
  // pointer. After the origin pointer, a stream contains the list of used bytes, the number of tables, the
  // selectors, the code lengths and the symbols.
  describe("a block", () => {
    type Bits = readonly [value: number, count: number]
    const written = (...fields: ReadonlyArray<Bits>): Uint8Array => {
      const head: ReadonlyArray<Bits> = [
        [0x425a, 16],
        [0x6839, 16],
        [0x314159, 24],
        [0x265359, 24],
        [0, 32],
        [0, 1],
        [0, 24]
      ]
      const bits = [...head, ...fields, [0, 64] as const].map(([value, count]) =>
        value.toString(2).padStart(count, "0")
      )
      return Uint8Array.from(bits.join("").match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2))
    }
    const ONE_BYTE: ReadonlyArray<Bits> = [
      [0x8000, 16],
      [0x8000, 16]
    ]
    // Two tables with the same three code words: 00, 01 and 10.
    const CODES: ReadonlyArray<Bits> = [0, 1].flatMap(() => [
      [2, 5],
      [0, 3]
    ])
    const selectors = (count: number): ReadonlyArray<Bits> => [
      [2, 3],
      [count, 15],
      ...Array.from({ length: count }, () => [0, 1] as const)
    ]

    it.each<readonly [reason: string, fields: ReadonlyArray<Bits>]>([
      ["a block that uses no byte", [[0, 16]]],
      ["an invalid number of tables", [...ONE_BYTE, [1, 3]]],
      ["an invalid number of tables", [...ONE_BYTE, [7, 3]]],
      ["a reference to a missing table", [...ONE_BYTE, [2, 3], [1, 15], [3, 2]]],
      ["a code word of invalid length", [...ONE_BYTE, ...selectors(1), [0, 5]]],
      ["a code word of invalid length", [...ONE_BYTE, ...selectors(1), [21, 5]]],
      ["an unknown code word", [...ONE_BYTE, ...selectors(1), ...CODES, [3, 2], [-1 >>> 0, 32]]],
      ["more symbols than selectors", [...ONE_BYTE, ...selectors(0), ...CODES]],
      ["an origin outside of the block", [...ONE_BYTE, ...selectors(1), ...CODES, [2, 2]]]
    ])("is rejected: %s (case %#)", (reason, fields) => {
      assert.include(getFailure(inflate(written(...fields), 10)), {
        _tag: "Malformed",
        message: `a compressed reply is not valid bzip2: ${reason}`
      })
    })

    it("can have code words of 1 or 20 bits", () => {
      const symbol = (length: number, bits: Bits) =>
        getFailure(inflate(written(...ONE_BYTE, ...selectors(1), [length, 5], [0, 3], [length, 5], [0, 3], bits), 10))
      assert.include(symbol(20, [2, 20]).message, "an origin outside of the block")
      assert.strictEqual(symbol(1, [0, 1]).message, "a compressed reply of 10 bytes inflates to more")
    })
  })

  it("returns errors that contain the announced size", () => {
    const { length } = rulesReply
    const message = (expected: number, most?: number) => getFailure(inflate(compressedRules, expected, most)).message
    assert.strictEqual(message(length, 100), `a compressed reply announces ${length} bytes, more than 100`)
    assert.strictEqual(message(length + 5), `a compressed reply of ${length + 5} bytes inflates to ${length}`)
    assert.strictEqual(message(length - 5), `a compressed reply of ${length - 5} bytes inflates to more`)
    assert.isTrue(Result.isSuccess(inflate(compressedRules, length, length)))
  })

  it("rejects a block size that does not exist in bzip2", () => {
    for (const size of ["0", ":", "A"]) {
      const stream = compressedRules.slice()
      stream[3] = size.charCodeAt(0)
      assert.include(getFailure(inflate(stream, rulesReply.length)).message, "block size")
    }
  })

  it("rejects a stream that is truncated anywhere before its checksum", () => {
    for (let end = 0; end < compressedRules.length - 5; end++) {
      const error = getFailure(inflate(compressedRules.subarray(0, end), rulesReply.length))
      assert.strictEqual(error._tag, "Malformed")
    }
  })

  it("returns an error or as many bytes as announced if the stream is damaged, and never throws", () => {
    const random = seeded(3)
    for (let i = 0; i < 10_000; i++) {
      const damaged = mutate(compressedRules, random)
      const result = inflate(damaged, rulesReply.length)
      if (Result.isSuccess(result)) assert.strictEqual(result.success.length, rulesReply.length, toHex(damaged))
    }
  })
})
