import { describe, expect, it } from "vitest"
import { INITIAL_RTO_MS, MAX_REMEMBERED_ROUND_TRIPS, MIN_RTO_MS } from "../../src/Limits.ts"
import { RoundTrip, RoundTrips } from "../../src/engine/RoundTrip.ts"

it("waits the initial time until it knows better, and never less than the least", () => {
  const roundTrip = new RoundTrip()
  expect(roundTrip.rtoMs).toBe(INITIAL_RTO_MS)
  roundTrip.sample(0.2)
  expect(roundTrip.rtoMs).toBe(MIN_RTO_MS)
})

it("waits longer where round trips vary", () => {
  const [steady, unsteady] = [new RoundTrip(), new RoundTrip()]
  for (let i = 0; i < 50; i++) {
    steady.sample(150)
    unsteady.sample(i % 2 === 0 ? 50 : 250)
  }
  expect(steady.rtoMs).toBeLessThan(160)
  expect(unsteady.rtoMs).toBeGreaterThan(400)
  expect(unsteady.minMs).toBe(50)
  unsteady.sample(40)
  expect(unsteady.minMs).toBe(40)
})

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
