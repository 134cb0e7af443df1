import { describe, expect, it } from "vitest"
import { Pace } from "../src/pace.ts"

describe("the pace of the queries to a game server", () => {
  it("the first query is due immediately or at a given time; after `hasten`, the next query is due immediately", () => {
    expect(new Pace(1000).isDue(0)).toBe(true)
    const later = new Pace(1000, 5000)
    expect([later.isDue(4499), later.isDue(4500)]).toEqual([false, true])
    later.hasten()
    expect(later.isDue(0)).toBe(true)
  })

  it("the next query is due when the reply reaches its maximum age, but not before the next cycle", () => {
    const pace = new Pace(1000)
    pace.answered(10_000, 10_000, 30_000)
    // The reply reaches its maximum age at 40,000 ms. A query is due up to half a cycle (500 ms) early, because the next cycle may be
    // late.
    expect([39_499, 39_500].map((now) => pace.isDue(now))).toEqual([false, true])
    pace.answered(10_000, 2000, 30_000)
    expect([31_499, 31_500].map((now) => pace.isDue(now))).toEqual([false, true])
    pace.answered(10_000, -50_000, 30_000)
    expect([10_499, 10_500].map((now) => pace.isDue(now))).toEqual([false, true])
  })

  it("slows down to one query per minute while the game server does not reply", () => {
    const pace = new Pace(1000)
    const waits: Array<number> = []
    for (let turn = 0; turn < 9; turn++) {
      pace.failed(0)
      expect(pace.isFailing).toBe(true)
      let now = 0
      while (!pace.isDue(now)) now += 500
      waits.push(now + 500)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    pace.answered(0, 0, 1000)
    expect(pace.isFailing).toBe(false)
    pace.failed(0)
    expect(pace.isDue(500)).toBe(true)
  })

  it("allows at most one query per cycle, even if a cycle is very long", () => {
    const pace = new Pace(3_600_000)
    for (let turn = 0; turn < 20; turn++) pace.failed(0)
    expect([1_799_999, 1_800_000].map((now) => pace.isDue(now))).toEqual([false, true])
  })
})
