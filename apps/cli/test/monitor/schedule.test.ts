/** Tests the function that compares the records of a monitor with a schedule, and the function that generates schedules. */
import { describe, expect, it } from "vitest"
import { compare, type Recorded } from "./schedule/compare.ts"
import { isOutage, makeSchedules, type ServerSchedule, valueAt } from "./schedule/schedule.ts"

const LIMITS = { intervalMs: 1000, slackMs: 100, pauses: [] }
const SCHEDULE: ServerSchedule = {
  periods: [
    { kind: "slow", from: 1000, to: 9000 },
    { kind: "silent", from: 20_000, to: 30_000 }
  ],
  steps: [
    { field: "map", at: 40_000, value: "b" },
    { field: "map", at: 50_000, value: "c" }
  ]
}
const EXACT: Recorded = {
  downMs: 9500,
  incidents: [{ from: 20_400, noticedAt: 22_000, to: 30_300 }],
  changes: [
    { field: "map", at: 40_500, from: "first", to: "b" },
    { field: "map", at: 50_500, from: "b", to: "c" }
  ]
}

/** Returns the kinds of errors that the comparison finds. */
const findFaults = (recorded: Recorded, pauses: ReadonlyArray<readonly [number, number]> = []) =>
  Object.entries(compare([SCHEDULE], [recorded], { ...LIMITS, pauses }).wrong).flatMap(([kind, some]) =>
    some.length > 0 ? [kind] : []
  )

describe("the comparison of a monitor's records with a schedule", () => {
  it.each([
    [{}, []],
    [{ downMs: 8000 }, ["availability"]],
    [{ incidents: [...EXACT.incidents, { from: 2000, noticedAt: 3000, to: 4000 }] }, ["falseDown"]],
    [{ incidents: [] }, ["missed"]],
    [
      {
        incidents: [
          { from: 20_400, noticedAt: 22_000, to: 25_000 },
          { from: 26_000, noticedAt: 27_000, to: 30_300 }
        ]
      },
      ["missed"]
    ],
    [{ incidents: [{ from: 20_400, noticedAt: 22_000, to: 32_500 }] }, ["recovery"]],
    [{ incidents: [{ from: 20_400, noticedAt: 22_000, to: undefined }] }, ["recovery"]],
    [{ changes: EXACT.changes.slice(1) }, ["changes"]],
    [{ changes: [...EXACT.changes, EXACT.changes[1]!] }, ["changes"]]
  ] as const)(
    "if the records contain the values %j in place of the correct values, finds the errors %j",
    (more, faults) => {
      expect(findFaults({ ...EXACT, ...more })).toEqual(faults)
    }
  )

  it("accepts a wrong downtime if the monitor was not running during part of an outage", () => {
    expect(findFaults({ ...EXACT, downMs: 7000 }, [[25_000, 28_000]])).toEqual([])
    expect(findFaults({ ...EXACT, downMs: 7000 }, [[5000, 8000]])).toEqual(["availability"])
  })
})

describe("a schedule", () => {
  const options = { seed: 7, servers: 500, durationMs: 1_200_000, intervalMs: 5000 }
  const schedules = makeSchedules(options)

  it("is the same for the same seed, and contains all kinds of episodes", () => {
    expect(makeSchedules(options)).toEqual(schedules)
    expect(makeSchedules({ ...options, seed: 8 })).not.toEqual(schedules)
    const periods = schedules.flatMap(({ periods }) => periods)
    expect(new Set(periods.map(({ kind }) => kind))).toEqual(new Set(["silent", "closed", "slow", "lossy"]))
    expect(periods.filter(isOutage).length).toBeGreaterThan(1000)
    expect(schedules.flatMap(({ steps }) => steps).length).toBeGreaterThan(1000)
  })

  it("contains pauses between the episodes and after the last episode", () => {
    for (const { periods, steps } of schedules) {
      const episodes = [...periods, ...steps.map(({ at }) => ({ from: at, to: at }))].sort((a, b) => a.from - b.from)
      for (const [i, { from }] of episodes.entries()) {
        expect(from - (episodes[i - 1]?.to ?? 0)).toBeGreaterThanOrEqual(4 * options.intervalMs - 1)
      }
      expect(episodes.at(-1)?.to ?? 0).toBeLessThanOrEqual(options.durationMs - 8 * options.intervalMs)
    }
  })

  it("contains the old value of a field before a change, and the new value from the time of the change", () => {
    expect([0, 40_000, 50_000].map((ms) => valueAt(SCHEDULE, "map", ms, "first"))).toEqual(["first", "b", "c"])
  })
})
