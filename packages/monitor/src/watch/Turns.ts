/**
 * Whose turn it is when: a schedule for each way of asking, and one for targets that locations ask, of which the verdict is due.
 */
import type { Timing } from "@sourcewire/core/engine"
import type { Way } from "../config/Config.ts"
import { locationsFor } from "../locations/locationsFor.ts"
import type { Locations } from "../locations/Locations.ts"
import { nextTurn, turnAhead, turnSoon } from "../schedule/rhythm.ts"
import { makeSchedule, type Schedule, type ScheduleRules } from "../schedule/Schedule.ts"
import { turnIntervalOf, type Watched } from "./Watched.ts"

const keyOf = ({ query, retries, timeoutMs }: Way): string => `${query} ${timeoutMs} ${retries}`

export type Turns = ReturnType<typeof makeTurns>

/** Turns, of targets that may be asked by `locations`. */
export const makeTurns = (
  timing: Timing,
  clock: () => number,
  locations: (typeof Locations)["Service"],
  rules: ScheduleRules<Watched>
) => {
  const { onTaken: _, ...ofJudged } = rules
  const judged = makeSchedule<Watched>(timing, clock, ofJudged)
  /** By way of asking. */
  const asked = new Map<string, Schedule<Watched>>()
  /** The same ones, without writing a way down for each turn. */
  let ofWay = new Map<Way, Schedule<Watched>>()
  const all = (): ReadonlyArray<Schedule<Watched>> => [judged, ...asked.values()]

  /** A verdict costs nobody a question, so it has its turn in every interval, half of one after the locations have asked. */
  const placeOf = (target: Watched) => {
    const { group, known, phase } = target
    const isJudged =
      group.locations !== undefined && locations !== undefined && locationsFor(target, locations.alive()) !== undefined
    if (isJudged) return { schedule: judged, intervalMs: group.intervalMs, phase: (phase + 0.5) % 1 }
    return { schedule: ofWay.get(group.way)!, intervalMs: turnIntervalOf(group, known), phase }
  }

  return {
    /** Of targets that locations ask. */
    judged,

    /** Has a schedule for each of these ways, and none for others; `start` asks whom a new one gives. */
    follow: (wanted: Iterable<Way>, start: (way: Way, schedule: Schedule<Watched>) => void): void => {
      const given = [...wanted]
      const ways = new Map(given.map((way) => [keyOf(way), way]))
      for (const [key, schedule] of asked) {
        if (ways.has(key)) continue
        schedule.close()
        asked.delete(key)
      }
      for (const [key, way] of ways) {
        if (asked.has(key)) continue
        const schedule = makeSchedule(timing, clock, rules)
        asked.set(key, schedule)
        start(way, schedule)
      }
      ofWay = new Map(given.map((way) => [way, asked.get(keyOf(way))!]))
    },

    /** Who has missed no turn has the next one; the others are asked soon, the fewer they are the sooner. */
    first: (some: ReadonlyArray<Watched>): void => {
      const now = clock()
      const missed = some.filter((target) => {
        const { intervalMs, phase, schedule } = placeOf(target)
        const turn = turnAhead(phase, intervalMs, target.known.askedAt, now)
        if (turn !== undefined) schedule.put(target, turn)
        return turn === undefined
      })
      for (const target of missed) {
        const { phase, schedule } = placeOf(target)
        schedule.put(target, turnSoon(phase, target.group.intervalMs, now, missed.length))
      }
    },

    /** After one that has ended. */
    next: (target: Watched): void => {
      const { intervalMs, phase, schedule } = placeOf(target)
      schedule.put(target, nextTurn(phase, intervalMs, clock()))
    },

    /** In so many milliseconds. */
    soon: (target: Watched, ms = 0): void => placeOf(target).schedule.put(target, clock() + ms),

    /** How many are due. */
    waiting: (): number => all().reduce((sum, { waiting }) => sum + waiting(), 0),

    /** How long the one has waited that has waited longest, in ms. */
    lateMs: (): number => Math.max(...all().map(({ lateMs }) => lateMs())),

    /** Gives what is due, if it was held. */
    resume: (): void => all().forEach((schedule) => schedule.resume()),

    /** Nobody has a turn any more. */
    close: (): void => all().forEach((schedule) => schedule.close())
  }
}
