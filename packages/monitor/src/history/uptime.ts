/**
 * Uptime: the time that targets spent in each state, in the last 24 hours and in the last 7, 30 and 90 days. The API, badges and reports
 * all use this module. Each period begins at a full hour.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Store, StoreFailed } from "../store/Store.ts"
import type { Watched } from "../watch/Watched.ts"
import { DAY_MS, HOUR_MS, startOfHour } from "./HourSamples.ts"
import { addTime, noTime, type StateTime } from "./StateTime.ts"

/** The periods, the shortest first. */
export const PERIODS = ["24h", "7d", "30d", "90d"] as const
export type Period = (typeof PERIODS)[number]

const LENGTHS: Readonly<Record<Period, number>> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
  "90d": 90 * DAY_MS
}

/** A period, and the time in each state during the period. */
export interface Uptime extends StateTime {
  readonly from: number
  readonly to: number
}

export type Uptimes = Readonly<Record<Period, Uptime>>

/** Time for which sums are cached. Cached sums are wrong only if a complete hour is written to the store after the sums were computed. */
const CACHED_MS = 10_000
/** Maximum number of targets in the cache. */
const MAX_CACHED = 10_000

/** Maximum number of rows per read. The number is limited so that other work does not wait for long. */
const ROWS_AT_ONCE = 100_000

/**
 * Sums the time in each state, in all hours that overlap the period from `fromMs` to `toMs`. These hours may include the current hour,
 * which is not stored yet.
 */
export const sumStateTime = Effect.fnUntraced(function* (
  store: typeof Store.Service,
  targets: ReadonlyArray<Watched>,
  fromMs: number,
  toMs: number
) {
  const [from, to] = [startOfHour(fromMs), startOfHour(toMs + HOUR_MS - 1)]
  const found = new Map<number, StateTime>()
  const many = Math.max(1, Math.floor((ROWS_AT_ONCE * HOUR_MS) / Math.max(HOUR_MS, to - from)))
  for (const some of Arr.chunksOf(targets, many)) {
    const stored = yield* store.stateTime(
      some.map(({ id }) => id),
      from,
      to
    )
    for (const { id, known } of some) {
      const sums = { ...(stored.get(id) ?? noTime()) }
      if (known.hour !== undefined && known.hour.hour >= from && known.hour.hour < to) {
        addTime(sums, known.hour.totalTime())
      }
      found.set(id, sums)
    }
    // Reads from SQLite are synchronous. Therefore other work of the process can run only between two reads.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return found
})

/** The cached sums of the stored hours of a target. */
interface Cached {
  readonly at: number
  /** The hour that was not stored yet when the sums were computed; `undefined` if all hours were stored. */
  readonly current: number | undefined
  readonly sums: Readonly<Record<Period, StateTime>>
}

/** Returns a function that computes uptimes from the hours in a store. */
export const makeUptimes = ({ stateTime }: typeof Store.Service) => {
  /** The cached sums, by target. */
  const cached = new Map<number, Cached>()

  const load = Effect.fnUntraced(function* (targets: ReadonlyArray<Watched>, now: number) {
    const ids = targets.map(({ id }) => id)
    const sums = new Map(
      ids.map((id) => [
        id,
        Object.fromEntries(PERIODS.map((period) => [period, noTime()])) as Record<Period, StateTime>
      ])
    )
    let before = startOfHour(now) + HOUR_MS
    for (const [index, period] of PERIODS.entries()) {
      const from = startOfHour(now - LENGTHS[period])
      // A longer period contains the shorter periods. Therefore only the time before the shorter periods is read.
      for (const [id, time] of yield* stateTime(ids, from, before)) {
        for (const longer of PERIODS.slice(index)) addTime(sums.get(id)![longer], time)
      }
      before = from
    }
    for (const { id, known } of targets) {
      cached.delete(id)
      cached.set(id, { at: now, current: known.hour?.hour, sums: sums.get(id)! })
    }
    for (const id of cached.keys()) {
      if (cached.size <= MAX_CACHED) break
      cached.delete(id)
    }
  })

  return (targets: ReadonlyArray<Watched>, now: number): Effect.Effect<ReadonlyMap<number, Uptimes>, StoreFailed> =>
    Effect.gen(function* () {
      const isCacheable = ({ id, known }: Watched): boolean => {
        const one = cached.get(id)
        if (one === undefined || one.current !== known.hour?.hour) return false
        return now - one.at < CACHED_MS && startOfHour(one.at) === startOfHour(now)
      }
      const missing = targets.filter((target) => !isCacheable(target))
      if (missing.length > 0) yield* load(missing, now)
      const found = new Map<number, Uptimes>()
      for (const { id, known } of targets) {
        const sums = cached.get(id)?.sums
        const uptimes = PERIODS.map((period) => {
          const from = startOfHour(now - LENGTHS[period])
          const time = { ...(sums?.[period] ?? noTime()) }
          // The current hour is added here, because it is not stored yet.
          if (known.hour !== undefined && known.hour.hour >= from) addTime(time, known.hour.totalTime())
          return [period, { from, to: now, ...time }] as const
        })
        found.set(id, Object.fromEntries(uptimes) as Record<Period, Uptime>)
      }
      return found
    })
}
