/** Tests which locations query a target, and how the results of these locations are combined. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { MonitorConfig } from "../src/config/Config.ts"
import { selectPart } from "../src/locations/LocationMonitor.ts"
import { locationsFor } from "../src/locations/locationsFor.ts"
import type { View } from "../src/locations/View.ts"
import { findDisagreement, isCurrent, combineViews } from "../src/locations/verdict.ts"
import { type Known, unknown } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const NOW = 1_795_000_000_000
const ADDRESSES = Array.from({ length: 3000 }, (_, i) => `10.0.${i >> 8}.${i & 255}:27015`)
const groupFor = (locations: number | readonly [string, ...Array<string>]) =>
  [...planFor([{ name: "a", targets: ["192.0.2.1:1"], locations }]).targets.values()][0]!

describe("the part of a plan that a location queries", () => {
  const plan = planFor([
    { name: "both", targets: ["9.9.9.1:1"], locations: ["eu", "us"], query: "all", verdicts: true },
    { name: "us", targets: ["9.9.9.2:1"], locations: ["us"], sources: [{ file: "list.txt" }] },
    { name: "any", targets: ["9.9.9.3:1"] }
  ])
  const addresses = (location: string, alive: ReadonlyArray<string>) => [
    ...selectPart(plan, location, alive).targets.keys()
  ]

  it("contains the targets for which the location was chosen", () => {
    expect(addresses("us", ["eu", "us"])).toEqual(["9.9.9.1:1", "9.9.9.2:1"])
    expect(addresses("eu", ["eu", "us"])).toEqual(["9.9.9.1:1"])
    expect(addresses("asia", ["asia", "eu", "us"])).toEqual([])
    expect(addresses("us", ["eu"])).toEqual([])
  })

  it("contains no sources and no verdicts", () => {
    const part = selectPart(plan, "us", ["eu", "us"])
    expect([plan.sources.length, plan.hasVerdicts]).toEqual([1, true])
    expect([part.sources.length, part.hasVerdicts]).toEqual([0, false])
    expect(part.groups).toBe(plan.groups)
  })
})

describe("the locations of a target", () => {
  it("are undefined if the group has no locations, or if no location has a runner", () => {
    expect(locationsFor({ address: "a", group: groupFor(1) }, ["eu", "us"])).toBeUndefined()
    expect(locationsFor({ address: "a", group: groupFor(2) }, [])).toBeUndefined()
  })

  it("are the live locations of the configured list, in the order of this list", () => {
    const group = groupFor(["us", "asia", "eu"])
    expect(locationsFor({ address: "a", group }, ["africa", "eu", "us"])).toEqual(["us", "eu"])
    expect(locationsFor({ address: "a", group }, ["africa"])).toEqual([])
  })

  it("are as many as configured; each location is chosen equally often, and stays chosen when other locations stop", () => {
    const group = groupFor(2)
    const all = ["africa", "asia", "eu", "us"]
    const before = ADDRESSES.map((address) => locationsFor({ address, group }, all)!)
    for (const name of all) {
      const share = before.filter((chosen) => chosen.includes(name)).length / before.length
      expect(share).toBeGreaterThan(0.45)
      expect(share).toBeLessThan(0.55)
    }
    const after = ADDRESSES.map((address) => locationsFor({ address, group }, ["africa", "asia", "us"])!)
    for (const [i, chosen] of before.entries()) {
      expect(new Set(chosen).size).toBe(2)
      const kept = chosen.filter((name) => name !== "eu")
      expect(after[i]!.filter((name) => chosen.includes(name))).toEqual(kept)
    }
  })

  it("are configured as a number from 1 to 16, or as a list of location names", () => {
    const decode = Schema.decodeUnknownResult(MonitorConfig)
    const isRight = (locations: unknown): boolean =>
      Result.isSuccess(decode({ groups: [{ name: "a", targets: [], locations }] }))
    expect([1, 16, ["eu-west.1"]].map(isRight)).toEqual([true, true, true])
    expect([0, 17, 1.5, [], ["a b"], "eu"].map(isRight)).toEqual([false, false, false, false, false, false])
  })
})

const view = (location: string, known: Partial<Known>): View => ({ location, known: { ...unknown(), ...known } })
const lastError = { _tag: "Timeout", message: "Nothing came." }
const up = (location: string, queriedAt = NOW, stateAt = NOW - 60_000): View =>
  view(location, { state: "up", stateAt, queriedAt, last: lastAnswer(queriedAt) })
const down = (location: string, queriedAt = NOW, stateAt = NOW - 60_000, failures = 2): View =>
  view(location, { state: "down", stateAt, queriedAt, failures, lastError })

describe("the result of several locations", () => {
  it("is a reply if at least one location has received a reply, and a failed check if all locations failed", () => {
    expect(combineViews([down("us"), up("eu")])).toEqual({ answer: lastAnswer(NOW) })
    const locations = [
      { location: "us", reason: "Timeout" },
      { location: "eu", reason: "Timeout" }
    ]
    expect(combineViews([down("us"), down("eu")])).toEqual({ error: lastError, isLocal: false, locations })
    expect(combineViews([up("us", NOW - 1), up("eu")])).toEqual({ answer: lastAnswer(NOW - 1) })
  })

  it("is a local error if no location has queried the target", () => {
    expect(combineViews([])).toMatchObject({ isLocal: true })
    expect(combineViews([view("eu", {})])).toMatchObject({ isLocal: true })
  })

  it("ignores a location whose result is too old; if the server is down, the age limit depends on `downIntervalMs`", () => {
    const group = { ...groupFor(2), downIntervalMs: 5 * groupFor(2).intervalMs }
    const at = (ago: number, view = up) => isCurrent(view("eu", NOW - ago, 0), group, NOW)
    expect(at(2 * group.intervalMs)).toBe(true)
    expect(at(3 * group.intervalMs)).toBe(false)
    expect(at(6 * group.intervalMs, down)).toBe(true)
    expect(at(7 * group.intervalMs, down)).toBe(false)
    expect(isCurrent(view("eu", {}), group, NOW)).toBe(false)
  })

  it("includes a result whose age is at most the sum of two intervals, the timeouts of the queries, and two seconds", () => {
    const isCurrentAfter = (query: "info" | "all", ago: number): boolean => {
      const plan = planFor([{ name: "a", targets: ["192.0.2.1:1"], intervalMs: 10_000, timeoutMs: 3000, query }])
      return isCurrent(up("eu", NOW - ago), [...plan.targets.values()][0]!, NOW)
    }
    expect([25_000, 25_001].map((ago) => isCurrentAfter("info", ago))).toEqual([true, false])
    expect([31_000, 31_001].map((ago) => isCurrentAfter("all", ago))).toEqual([true, false])
  })

  it("ignores the last reply of a location whose later checks have failed", () => {
    const failing = view("eu", { ...up("eu").known, failures: 1, lastError })
    expect(combineViews([failing, up("us", NOW - 1)])).toEqual({ answer: lastAnswer(NOW - 1) })
    const locations = [{ location: "eu", reason: "Timeout" }]
    expect(combineViews([failing])).toEqual({ error: lastError, isLocal: false, locations })
    // The location `us` has not completed a check of the target, so the result contains no reason from this location.
    expect(combineViews([view("us", {}), failing])).toEqual({ error: lastError, isLocal: false, locations })
  })
})

describe("a disagreement", () => {
  it("exists if a target is up at some locations and down at others, and contains the state at each location", () => {
    expect(findDisagreement([up("eu"), down("us"), up("asia")])).toBe("eu: up, us: down, asia: up")
    expect(findDisagreement([up("eu"), up("us")])).toBeUndefined()
    expect(findDisagreement([down("eu"), down("us")])).toBeUndefined()
    expect(findDisagreement([up("eu"), view("us", { failures: 1 })])).toBeUndefined()
    // According to the location `us`, the target is down. At the location `eu`, the target is still up, but the last query failed.
    // Therefore `eu` may agree with `us` soon.
    const failing = view("eu", { ...up("eu").known, failures: 1 })
    expect(findDisagreement([failing, down("us")])).toBeUndefined()
  })

  it("of two locations does not exist until each location has queried the target after the last change of state at the other location", () => {
    expect(findDisagreement([up("eu", NOW, NOW - 1000), down("us", NOW - 2000)])).toBeUndefined()
    expect(findDisagreement([up("eu", NOW - 2000), down("us", NOW, NOW - 1000)])).toBeUndefined()
    expect(findDisagreement([up("eu", NOW, NOW - 1000), down("us", NOW - 500)])).toBeDefined()
    expect(findDisagreement([up("eu", NOW, NOW - 1000), down("us", NOW - 1000)])).toBeUndefined()
  })

  it("does not exist if the state at a location is unknown", () => {
    expect(findDisagreement([view("eu", { queriedAt: NOW }), down("us")])).toBeUndefined()
  })
})
