/**
 * Schedules the checks of targets. In a check, the monitor queries a target, or combines the results that the locations have stored for the
 * target. All targets that are queried by locations share one schedule. The other targets have one schedule for each combination of query
 * settings.
 */
import type { Timing } from "@sourcewire/core/engine"
import type { QuerySettings } from "../config/Config.ts"
import { locationsFor } from "../locations/locationsFor.ts"
import type { Locations } from "../locations/Locations.ts"
import { nextQueryTime, upcomingQueryTime, catchUpTime } from "../schedule/rhythm.ts"
import { makeSchedule, type Schedule, type ScheduleRules } from "../schedule/Schedule.ts"
import { chooseInterval, type Watched } from "./Watched.ts"

const formatKey = ({ query, retries, timeoutMs }: QuerySettings): string => `${query} ${timeoutMs} ${retries}`

export type Schedules = ReturnType<typeof makeSchedules>

/**
 * Creates the schedules. `locations` is the list of available locations. The schedule of a target depends on whether locations or this
 * instance query the target.
 */
export const makeSchedules = (
  timing: Timing,
  clock: () => number,
  locations: (typeof Locations)["Service"],
  rules: ScheduleRules<Watched>
) => {
  const { onTaken: _, ...ofJudged } = rules
  const judged = makeSchedule<Watched>(timing, clock, ofJudged)
  /** The schedules of the targets that the monitor itself queries. Each key contains the query settings of a schedule as text. */
  const asked = new Map<string, Schedule<Watched>>()
  /**
   * This map contains the same schedules as `asked`, but its keys are the objects with the query settings. Therefore a schedule can be
   * found without converting query settings to text.
   */
  let byQuerySettings = new Map<QuerySettings, Schedule<Watched>>()
  const all = (): ReadonlyArray<Schedule<Watched>> => [judged, ...asked.values()]

  /**
   * The schedule of a target, and the interval and the phase of its checks. If locations query the target, a check of the target sends no
   * query. Such a target is checked once per interval, half an interval after the locations query it.
   */
  const findPlace = (target: Watched) => {
    const { group, known, phase } = target
    const isJudged =
      group.locations !== undefined && locations !== undefined && locationsFor(target, locations.alive()) !== undefined
    if (isJudged) return { schedule: judged, intervalMs: group.intervalMs, phase: (phase + 0.5) % 1 }
    return { schedule: byQuerySettings.get(group.querySettings)!, intervalMs: chooseInterval(group, known), phase }
  }

  return {
    /** The schedule of the targets that are queried by locations. */
    judged,

    /**
     * Creates the missing schedules for the settings in `wanted`, and closes the schedules of settings that are not in `wanted`. Objects
     * with equal settings share a schedule. `start` starts the queries of a new schedule.
     */
    follow: (
      wanted: Iterable<QuerySettings>,
      start: (querySettings: QuerySettings, schedule: Schedule<Watched>) => void
    ): void => {
      const given = [...wanted]
      const settings = new Map(given.map((querySettings) => [formatKey(querySettings), querySettings]))
      for (const [key, schedule] of asked) {
        if (settings.has(key)) continue
        schedule.close()
        asked.delete(key)
      }
      for (const [key, querySettings] of settings) {
        if (asked.has(key)) continue
        const schedule = makeSchedule(timing, clock, rules)
        asked.set(key, schedule)
        start(querySettings, schedule)
      }
      byQuerySettings = new Map(given.map((querySettings) => [querySettings, asked.get(formatKey(querySettings))!]))
    },

    /**
     * Schedules the first checks of targets. If the check that follows the last query of a target is not overdue, the check is scheduled
     * for its usual time. If the check is overdue, or if the target was never queried, a check is scheduled soon. If many targets need such
     * a check, their checks are spread over a longer time.
     */
    first: (some: ReadonlyArray<Watched>): void => {
      const now = clock()
      const missed = some.filter((target) => {
        const { intervalMs, phase, schedule } = findPlace(target)
        const turn = upcomingQueryTime(phase, intervalMs, target.known.queriedAt, now)
        if (turn !== undefined) schedule.put(target, turn)
        return turn === undefined
      })
      for (const target of missed) {
        const { phase, schedule } = findPlace(target)
        schedule.put(target, catchUpTime(phase, target.group.intervalMs, now, missed.length))
      }
    },

    /** Schedules the next check of a target after a check has ended. */
    next: (target: Watched): void => {
      const { intervalMs, phase, schedule } = findPlace(target)
      schedule.put(target, nextQueryTime(phase, intervalMs, clock()))
    },

    /** Schedules a check of a target after `ms` milliseconds. */
    soon: (target: Watched, ms = 0): void => findPlace(target).schedule.put(target, clock() + ms),

    /** The number of due targets that have not been queried yet. */
    waiting: (): number => all().reduce((sum, { waiting }) => sum + waiting(), 0),

    /** How long the oldest due target has waited, in milliseconds. */
    lateMs: (): number => Math.max(...all().map(({ lateMs }) => lateMs())),

    /**
     * Call this method when the pause of the schedules may have ended. If `rules.isPaused` now returns `false`, the schedules pass the due
     * targets to the scans.
     */
    resume: (): void => all().forEach((schedule) => schedule.resume()),

    close: (): void => all().forEach((schedule) => schedule.close())
  }
}
