import { describe, expect, it } from "vitest"
import { RoundTrips } from "../../src/client/roundTrips.ts"
import { MAX_REMEMBERED_ROUND_TRIPS } from "../../src/Limits.ts"

const remote = (n: number) => ({ address: `10.${(n >> 16) & 0xff}.${(n >> 8) & 0xff}.${n & 0xff}`, port: 27_015 })

describe("what is known of round trips", () => {
  it("is one server's, by address and port", () => {
    const known = new RoundTrips()
    const one = known.of(remote(1))
    expect(known.of(remote(1))).toBe(one)
    expect(known.of(remote(2))).not.toBe(one)
    expect(known.of({ ...remote(1), port: 27_016 })).not.toBe(one)
  })

  it("is forgotten of whoever was not asked for the longest, and of nobody before there are too many", () => {
    const known = new RoundTrips()
    const first = known.of(remote(0))
    const second = known.of(remote(1))
    for (let n = 2; n < MAX_REMEMBERED_ROUND_TRIPS; n++) known.of(remote(n))
    // Asked again, the first is the newest.
    expect(known.of(remote(0))).toBe(first)
    known.of(remote(MAX_REMEMBERED_ROUND_TRIPS))
    expect(known.of(remote(0))).toBe(first)
    expect(known.of(remote(1))).not.toBe(second)
  })
})
