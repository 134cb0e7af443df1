import { assert, describe, it } from "@effect/vitest"
import { sipHash24, sipHashLow, sipKey } from "../../src/limits/siphash.ts"

/** Hashes of the reference implementation, with the key 00..0f and the input 00, 01, 02, … of the given length. */
const vectors: ReadonlyArray<readonly [length: number, hash: bigint]> = [
  [0, 0x726fdb47dd0e0e31n],
  [1, 0x74f839c593dc67fdn],
  [7, 0xab0200f58b01d137n],
  [8, 0x93f5f5799a932462n],
  [15, 0xa129ca6149be45e5n]
]

describe("SipHash-2-4", () => {
  it.each(vectors)("equals the reference value for an input length of %i", (length, expected) => {
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => i)
    const high = sipHash24(sipKey(bytes), bytes, length)
    assert.strictEqual((BigInt(high >>> 0) << 32n) | BigInt(sipHashLow >>> 0), expected)
  })
})
