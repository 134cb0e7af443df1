/**
 * Generates the schedules of game servers from a seed. A test compares the records of a monitor with these schedules. The functions of this
 * module are pure.
 */
import { seededRandom } from "@sourcewire/core/testing"

/** A period in which a server does not behave normally. Times are in ms since the start of the schedule. */
export interface Period {
  readonly kind: "silent" | "closed" | "slow" | "lossy"
  readonly from: number
  readonly to: number
}

/** A change of a server's map or name. */
export interface Step {
  readonly field: "map" | "name"
  readonly at: number
  readonly value: string
}

export interface ServerSchedule {
  readonly periods: ReadonlyArray<Period>
  readonly steps: ReadonlyArray<Step>
}

/** The options that determine a schedule. */
export interface ScheduleOptions {
  readonly seed: number
  readonly servers: number
  readonly durationMs: number
  readonly intervalMs: number
}

/**
 * Limits for the times without episodes, in intervals. An episode is a period or a change. The first `CALM_START` and the last `CALM_END`
 * intervals contain no episode. The time between two episodes is from `SHORTEST_GAP` to `LONGEST_GAP` intervals.
 */
const CALM_START = 4
const CALM_END = 8
const SHORTEST_GAP = 4
const LONGEST_GAP = 16

/**
 * Minimum and maximum lengths of periods, in intervals. `OUTAGE` is for outages, `BLIP` is for short outages that a monitor may miss, and
 * `TROUBLE` is for periods with slow replies or lost datagrams.
 */
const OUTAGE = [3, 20] as const
const BLIP = [0.2, 0.8] as const
const TROUBLE = [4, 15] as const

/** Returns the schedules of all servers. Episodes of one server do not overlap. */
export const makeSchedules = ({
  durationMs,
  intervalMs,
  seed,
  servers
}: ScheduleOptions): ReadonlyArray<ServerSchedule> => {
  const random = seededRandom(seed)
  const between = ([least, most]: readonly [number, number]): number => intervalMs * (least + random() * (most - least))
  const makeSchedule = (server: number): ServerSchedule => {
    const periods: Array<Period> = []
    const steps: Array<Step> = []
    let at = CALM_START * intervalMs + between([0, LONGEST_GAP])
    for (;;) {
      const chance = random()
      const isDown = chance < 0.45
      const length = chance < 0.35 ? between(OUTAGE) : isDown ? between(BLIP) : chance < 0.7 ? between(TROUBLE) : 0
      const to = Math.round(at + length)
      if (to > durationMs - CALM_END * intervalMs) return { periods, steps }
      const from = Math.round(at)
      if (isDown) periods.push({ kind: random() < 0.5 ? "silent" : "closed", from, to })
      else if (length > 0) periods.push({ kind: random() < 0.5 ? "slow" : "lossy", from, to })
      else steps.push({ field: random() < 0.7 ? "map" : "name", at: from, value: `${server}-${steps.length + 1}` })
      at = to + between([SHORTEST_GAP, LONGEST_GAP])
    }
  }
  return Array.from({ length: servers }, (_, server) => makeSchedule(server))
}

export const isOutage = ({ kind }: Period): boolean => kind === "silent" || kind === "closed"

/** Returns the value of a server's field at the time `ms`. Before the first change of the field, the value is `first`. */
export const valueAt = ({ steps }: ServerSchedule, field: Step["field"], ms: number, first: string): string =>
  steps.findLast((step) => step.field === field && step.at <= ms)?.value ?? first
