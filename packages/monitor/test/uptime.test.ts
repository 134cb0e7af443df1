import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { DAY_MS, HOUR_MS, HourSamples } from "../src/history/HourSamples.ts"
import type { StateTime, TimedState } from "../src/history/StateTime.ts"
import { computeAvailability } from "../src/history/StateTime.ts"
import { makeUptimes, sumStateTime } from "../src/history/uptime.ts"
import type { Store } from "../src/store/Store.ts"
import { makeWatched } from "./watchedTarget.ts"

const HOUR = Date.UTC(2026, 10, 23, 12)
const NOW = HOUR + HOUR_MS / 2

/**
 * Returns a store with the history of target 1, which has a single state in each hour. `reads` contains the targets and the period of each
 * read.
 */
const makeStore = (hours: ReadonlyMap<number, TimedState>) => {
  const reads: Array<readonly [ids: ReadonlyArray<number>, fromMs: number, toMs: number]> = []
  const stateTime = (ids: ReadonlyArray<number>, fromMs: number, toMs: number) =>
    Effect.sync((): ReadonlyMap<number, StateTime> => {
      reads.push([ids, fromMs, toMs])
      const time = { up: 0, down: 0, muted: 0 }
      for (const [hour, state] of hours) if (hour >= fromMs && hour < toMs) time[state] += HOUR_MS
      return new Map(ids.includes(1) ? [[1, time]] : [])
    })
  return { reads, store: { stateTime } as unknown as typeof Store.Service }
}

/** The start of the hour that is `hours` hours before the current hour. */
const before = (hours: number): number => HOUR - hours * HOUR_MS

const currentHour = (state: TimedState): HourSamples => {
  const hour = new HourSamples(HOUR)
  hour.addTime(state, HOUR, NOW)
  return hour
}

describe("the uptime of a target", () => {
  it.effect(
    "contains the time in each state for several periods, which begin on full hours and include the current hour",
    () =>
      Effect.gen(function* () {
        const { store } = makeStore(
          new Map([
            [before(1), "up"],
            [before(24), "down"],
            [before(25), "up"],
            [before(7 * 24), "muted"],
            [before(8 * 24), "down"],
            [before(31 * 24), "up"],
            [before(91 * 24), "up"]
          ])
        )
        const target = makeWatched({ hour: currentHour("up") })
        const uptimes = (yield* makeUptimes(store)([target], NOW)).get(1)!
        const half = HOUR_MS / 2
        const to = NOW
        assert.deepStrictEqual(uptimes, {
          "24h": { from: before(24), to, up: HOUR_MS + half, down: HOUR_MS, muted: 0 },
          "7d": { from: before(7 * 24), to, up: 2 * HOUR_MS + half, down: HOUR_MS, muted: HOUR_MS },
          "30d": { from: before(30 * 24), to, up: 2 * HOUR_MS + half, down: 2 * HOUR_MS, muted: HOUR_MS },
          "90d": { from: before(90 * 24), to, up: 3 * HOUR_MS + half, down: 2 * HOUR_MS, muted: HOUR_MS }
        })
      })
  )

  it.effect("is computed without reading any part of the history twice", () =>
    Effect.gen(function* () {
      const { reads, store } = makeStore(new Map())
      yield* makeUptimes(store)([makeWatched({})], NOW)
      assert.deepStrictEqual(
        reads.map(([, from, to]) => [from, to]),
        [
          [before(24), HOUR + HOUR_MS],
          [before(7 * 24), before(24)],
          [before(30 * 24), before(7 * 24)],
          [before(90 * 24), before(30 * 24)]
        ]
      )
    })
  )

  it.effect(
    "is cached for at most ten seconds, but always includes the newest data of the current hour from memory",
    () =>
      Effect.gen(function* () {
        const { reads, store } = makeStore(new Map())
        const read = makeUptimes(store)
        const hour = currentHour("up")
        const target = makeWatched({ hour })
        const up = (now: number) => Effect.map(read([target], now), (found) => found.get(1)!["24h"].up)
        assert.strictEqual(yield* up(NOW), HOUR_MS / 2)
        hour.addTime("up", NOW, NOW + 5000)
        assert.strictEqual(yield* up(NOW + 9999), HOUR_MS / 2 + 5000)
        assert.lengthOf(reads, 4)
        yield* up(NOW + 10_000)
        assert.lengthOf(reads, 8)
        // The next hour begins between these two calls.
        yield* up(HOUR + HOUR_MS - 1)
        yield* up(HOUR + HOUR_MS)
        assert.lengthOf(reads, 16)
        // After the hour was stored, the target has no current hour in memory.
        target.known.hour = undefined
        yield* up(HOUR + HOUR_MS + 1)
        assert.lengthOf(reads, 20)
      })
  )

  it.effect("is read from the store only if it is not cached", () =>
    Effect.gen(function* () {
      const { reads, store } = makeStore(new Map())
      const read = makeUptimes(store)
      const [one, two] = [makeWatched({}), Object.assign(makeWatched({}), { id: 2 })]
      yield* read([one], NOW)
      const found = yield* read([one, two], NOW)
      assert.deepStrictEqual(
        reads.map(([ids]) => ids),
        [1, 1, 1, 1, 2, 2, 2, 2].map((id) => [id])
      )
      assert.deepStrictEqual([...found.keys()], [1, 2])
    })
  )
})

describe("the time in each state", () => {
  it.effect("is the sum over all hours of a period, including the current hour if it is part of the period", () =>
    Effect.gen(function* () {
      const { reads, store } = makeStore(
        new Map([
          [before(3), "up"],
          [before(2), "down"],
          [before(1), "up"]
        ])
      )
      const target = makeWatched({ hour: currentHour("muted") })
      const sum = (from: number, to: number) =>
        Effect.map(sumStateTime(store, [target], from, to), (found) => found.get(1))
      assert.deepStrictEqual(yield* sum(before(2) + 5, NOW), { up: HOUR_MS, down: HOUR_MS, muted: HOUR_MS / 2 })
      assert.deepStrictEqual(reads.at(-1)?.slice(1), [before(2), HOUR + HOUR_MS])
      assert.deepStrictEqual(yield* sum(before(3), HOUR), { up: 2 * HOUR_MS, down: HOUR_MS, muted: 0 })
      assert.deepStrictEqual(yield* sum(HOUR + HOUR_MS, HOUR + 2 * HOUR_MS), { up: 0, down: 0, muted: 0 })
    })
  )

  it.effect("is read in several portions if there are many targets and the period is long", () =>
    Effect.gen(function* () {
      const { reads, store } = makeStore(new Map())
      const targets = Array.from({ length: 100 }, (_, i) => Object.assign(makeWatched({}), { id: i + 1 }))
      const found = yield* sumStateTime(store, targets, HOUR - 90 * DAY_MS, HOUR)
      assert.strictEqual(found.size, 100)
      // The limit of a portion is 100,000 hours. In 90 days, 46 targets have 99,360 hours.
      assert.deepStrictEqual(
        reads.map(([ids]) => ids.length),
        [46, 46, 8]
      )
    })
  )
})

describe("availability", () => {
  it("is the share of up time in the sum of up time and down time", () => {
    assert.strictEqual(computeAvailability({ up: 3, down: 1, muted: 100 }), 0.75)
    assert.strictEqual(computeAvailability({ up: 0, down: 1, muted: 0 }), 0)
    assert.isUndefined(computeAvailability({ up: 0, down: 0, muted: 1 }))
  })
})
