/**
 * Whose turn it is when: a schedule for each way of asking, and one for targets that locations ask, of which the verdict is due.
 */
import type { Timing } from "@sourcewire/core/machines"
import type { Way } from "../config/Config.ts"
import { chosenFor } from "../locations/chosen.ts"
import type { Locations } from "../locations/Locations.ts"
import { intervalsUntilTurn, nextTurn, turnAhead, turnSoon } from "../schedule/rhythm.ts"
import { Schedule, type ScheduleRules } from "../schedule/Schedule.ts"
import type { Watched } from "./Watched.ts"

const keyOf = ({ query, retries, timeoutMs }: Way): string => `${query} ${timeoutMs} ${retries}`

/** The turns of all targets. */
export class Turns {
  /** Of targets that locations ask. */
  readonly judged: Schedule<Watched>
  private readonly timing: Timing
  private readonly clock: () => number
  private readonly rules: ScheduleRules<Watched>
  private readonly locations: (typeof Locations)["Service"]
  /** By way of asking. */
  private readonly asked = new Map<string, Schedule<Watched>>()
  /** The same ones, without writing a way down for each turn. */
  private ofWay = new Map<Way, Schedule<Watched>>()

  constructor(
    timing: Timing,
    clock: () => number,
    locations: (typeof Locations)["Service"],
    rules: ScheduleRules<Watched>
  ) {
    this.timing = timing
    this.clock = clock
    this.locations = locations
    this.rules = rules
    const { isHeld, isWanted } = rules
    this.judged = new Schedule(timing, clock, { ...(isHeld && { isHeld }), ...(isWanted && { isWanted }) })
  }

  /** Has a schedule for each of these ways, and none for others; `start` asks whom a new one gives. */
  follow(wanted: Iterable<Way>, start: (way: Way, schedule: Schedule<Watched>) => void): void {
    const given = [...wanted]
    const ways = new Map(given.map((way) => [keyOf(way), way]))
    for (const [key, schedule] of this.asked) {
      if (ways.has(key)) continue
      schedule.close()
      this.asked.delete(key)
    }
    for (const [key, way] of ways) {
      if (this.asked.has(key)) continue
      const schedule = new Schedule(this.timing, this.clock, this.rules)
      this.asked.set(key, schedule)
      start(way, schedule)
    }
    this.ofWay = new Map(given.map((way) => [way, this.asked.get(keyOf(way))!]))
  }

  /** Who has missed no turn has the next one; the others are asked soon, the fewer they are the sooner. */
  first(some: ReadonlyArray<Watched>): void {
    const now = this.clock()
    const missed = some.filter((target) => {
      const { group, known } = target
      const { intervals, phase, schedule } = this.of(target)
      const turn = turnAhead(phase, group.intervalMs, known.askedAt, now, intervals)
      if (turn !== undefined) schedule.put(target, turn)
      return turn === undefined
    })
    for (const target of missed) {
      const { phase, schedule } = this.of(target)
      schedule.put(target, turnSoon(phase, target.group.intervalMs, now, missed.length))
    }
  }

  /** After one that has ended. */
  next(target: Watched): void {
    const { intervalMs } = target.group
    const { intervals, phase, schedule } = this.of(target)
    schedule.put(target, nextTurn(phase, intervalMs, this.clock() + (intervals - 1) * intervalMs))
  }

  /** In so many milliseconds. */
  soon(target: Watched, ms = 0): void {
    this.of(target).schedule.put(target, this.clock() + ms)
  }

  /** How many are due. */
  get waiting(): number {
    return this.all.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** How long the one has waited that has waited longest, in ms. */
  get lateMs(): number {
    return Math.max(...this.all.map(({ lateMs }) => lateMs))
  }

  /** Gives what is due, if it was held. */
  resume(): void {
    this.all.forEach((schedule) => schedule.resume())
  }

  /** Nobody has a turn any more. */
  close(): void {
    this.all.forEach((schedule) => schedule.close())
  }

  private get all(): ReadonlyArray<Schedule<Watched>> {
    return [this.judged, ...this.asked.values()]
  }

  /** A verdict costs nobody a question, so it has its turn in every interval, half of one after the locations have asked. */
  private of(target: Watched) {
    const { group, known, phase } = target
    const isJudged =
      group.locations !== undefined &&
      this.locations !== undefined &&
      chosenFor(target, this.locations.alive()) !== undefined
    if (isJudged) return { schedule: this.judged, intervals: 1, phase: (phase + 0.5) % 1 }
    const intervals = intervalsUntilTurn(known.failures, group.downAfter)
    return { schedule: this.ofWay.get(group.way)!, intervals, phase }
  }
}
