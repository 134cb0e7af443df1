/**
 * Computes the uptimes of targets. An uptime is the time that a target spent in each state during the last 24 hours, or during the last 7,
 * 30 or 90 days. Each of these periods begins at a full hour.
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

/** The time in each state during a period, and the start and the end of the period. */
export interface Uptime extends StateTime {
  readonly from: number
  readonly to: number
}

export type Uptimes = Readonly<Record<Period, Uptime>>

/**
 * Time for which sums are cached. The sums are computed again after this time, or earlier when the store receives the samples of a further
 * hour.
 */
const CACHED_MS = 10_000
/** Maximum number of targets in the cache. */
const MAX_CACHED = 10_000

/** Maximum number of rows that one read returns. Reads are short, because the other work of the process waits while a read runs. */
const ROWS_AT_ONCE = 100_000

/**
 * Computes the time that each target spent in each state. The result covers all hours that overlap the period from `fromMs` to `toMs`. The
 * result also includes the current hour, which is not in the store yet, if it overlaps the period.
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

/** The cached sums for a target. They include only the hours that are in the store. */
interface Cached {
  readonly at: number
  /**
   * The start of the hour whose samples were not in the store yet when the sums were computed. `undefined` if the store contained all
   * hours.
   */
  readonly current: number | undefined
  readonly sums: Readonly<Record<Period, StateTime>>
}

/** Creates a function that computes the uptimes of targets, and caches the sums of the stored hours. */
export const makeUptimes = ({ stateTime }: typeof Store.Service) => {
  /** The cached sums, by the number of the target. */
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
      // The loop begins with the shortest period, and each period contains all shorter periods. Therefore each read covers only the hours
      // that were not read for a shorter period.
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
          // The cached sums do not include the current hour, which is not in the store yet.
          if (known.hour !== undefined && known.hour.hour >= from) addTime(time, known.hour.totalTime())
          return [period, { from, to: now, ...time }] as const
        })
        found.set(id, Object.fromEntries(uptimes) as Record<Period, Uptime>)
      }
      return found
    })
}
