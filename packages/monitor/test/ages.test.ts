import { describe, expect, it } from "vitest"
import { makeGroup } from "../src/config/Config.ts"
import { measureAges } from "../src/watch/ages.ts"
import { type State, unknown, Watched } from "../src/watch/Watched.ts"

const GROUP = makeGroup({}, "eu", {})
const NOW = 1_000_000

/** A target whose last query was `ageMs` ago. */
const aged = (ageMs: number | undefined, state: State = "up") =>
  new Watched(1, "192.0.2.1:1", { host: "192.0.2.1", port: 1 }, GROUP, {
    ...unknown(),
    state,
    queriedAt: ageMs === undefined ? undefined : NOW - ageMs
  })

describe("the ages of results", () => {
  it("have a median, a 99th percentile and a maximum", () => {
    const ages = Array.from({ length: 100 }, (_, i) => 100 - i)
    expect(
      measureAges(
        ages.map((age) => aged(age)),
        NOW
      )
    ).toEqual({ p50Ms: 50, p99Ms: 99, maxMs: 100 })
    expect(measureAges([aged(7)], NOW)).toEqual({ p50Ms: 7, p99Ms: 7, maxMs: 7 })
    expect(measureAges([aged(1), aged(2), aged(3)], NOW)).toEqual({ p50Ms: 2, p99Ms: 3, maxMs: 3 })
  })

  it("do not include targets that are down or were never queried", () => {
    expect(measureAges([aged(5), aged(50, "down"), aged(undefined)], NOW)).toEqual({ p50Ms: 5, p99Ms: 5, maxMs: 5 })
    expect(measureAges([aged(50, "down"), aged(undefined)], NOW)).toBeUndefined()
    expect(measureAges([], NOW)).toBeUndefined()
  })

  it("if there are many targets, the percentiles are computed from a sample, and the maximum from all targets", () => {
    const targets = Array.from({ length: 20_000 }, (_, i) => aged(i + 1))
    targets[1] = aged(1_000_000)
    const { maxMs, p50Ms, p99Ms } = measureAges(targets, NOW)!
    expect(maxMs).toBe(1_000_000)
    expect(p50Ms).toBeCloseTo(10_000, -2)
    expect(p99Ms).toBeCloseTo(19_800, -2)
  })
})
