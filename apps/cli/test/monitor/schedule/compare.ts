/** Compares the records of a monitor with the schedule of the servers. The functions of this module are pure. */
import { isOutage, type Period, type ServerSchedule } from "./schedule.ts"

/** The records of a monitor about a server. Times are in ms since the start of the schedule. */
export interface Recorded {
  readonly downMs: number
  readonly incidents: ReadonlyArray<{
    readonly from: number
    readonly noticedAt: number
    readonly to: number | undefined
  }>
  /** Changes of the map and of the name, in the order in which they were stored. */
  readonly changes: ReadonlyArray<{
    readonly field: string
    readonly at: number
    readonly from: string
    readonly to: string
  }>
}

/** Determines how much the records of a monitor may differ from the schedule. */
export interface Limits {
  readonly intervalMs: number
  /** Time that queries and delays of the machine may add to each measured time, in ms. */
  readonly slackMs: number
  /** Periods in which the monitor did not run. */
  readonly pauses: ReadonlyArray<readonly [from: number, to: number]>
}

export interface Compared {
  readonly outages: number
  readonly incidents: number
  readonly steps: number
  /**
   * The largest error of any server, in ms. The error of a server is the difference between its real and its reported downtime, divided by
   * the number of its outages. `worstDownMs`, `sumDownMs` and `seenOutages` include a server only if the monitor ran during all outages of
   * this server and shortly after each outage.
   */
  readonly worstDownMs: number
  /** Sum of the differences between the real and the reported downtime of each server, in ms. */
  readonly sumDownMs: number
  /** Number of outages of the servers that `sumDownMs` includes. */
  readonly seenOutages: number
  readonly trueDownMs: number
  /**
   * For each reported outage, the time from the end of the outage until the monitor reported this end, in ms. If the monitor did not run
   * during a part of the outage or shortly after the outage, the time is in `pausedRecoveries` instead.
   */
  readonly recoveries: ReadonlyArray<number>
  /** The times, in ms, that `recoveries` omits because the monitor did not run during a part of the outage or shortly after the outage. */
  readonly pausedRecoveries: ReadonlyArray<number>
  /** Errors, as sentences. */
  readonly wrong: {
    readonly availability: Wrong
    readonly falseDown: Wrong
    readonly recovery: Wrong
    readonly missed: Wrong
    readonly changes: Wrong
  }
}

type Wrong = ReadonlyArray<string>

/**
 * A monitor may miss an outage that is shorter than this number of intervals, because the state becomes `down` only after two failed
 * queries.
 */
const CERTAIN_INTERVALS = 2.5

const overlap = (from: number, to: number, [start, end]: readonly [number, number]): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start))

/** Compares the records of all servers with their schedules. */
export const compare = (
  schedules: ReadonlyArray<ServerSchedule>,
  recorded: ReadonlyArray<Recorded>,
  { intervalMs, pauses, slackMs }: Limits
): Compared => {
  const wrong = {
    availability: [] as Array<string>,
    falseDown: [] as Array<string>,
    recovery: [] as Array<string>,
    missed: [] as Array<string>,
    changes: [] as Array<string>
  }
  const recoveries: Array<number> = []
  const pausedRecoveries: Array<number> = []
  let [outages, incidents, steps, worstDownMs, sumDownMs, seenOutages, trueDownMs] = [0, 0, 0, 0, 0, 0, 0]
  /**
   * Finds the pauses that overlap a period or the two intervals after the period. Returns the total length of these pauses in ms, plus
   * one interval per pause.
   */
  const paused = ({ from, to }: Pick<Period, "from" | "to">): number =>
    pauses.reduce(
      (sum, pause) => sum + (overlap(from, to + 2 * intervalMs, pause) > 0 ? pause[1] - pause[0] + intervalMs : 0),
      0
    )

  for (const [server, { periods, steps: expected }] of schedules.entries()) {
    const { changes, downMs, incidents: found } = recorded[server]!
    const down = periods.filter(isOutage)
    outages += down.length
    incidents += found.length
    const matches = new Map(
      down.map((outage) => [
        outage,
        found.filter(({ from, noticedAt }) => from < outage.to + slackMs && noticedAt >= outage.from)
      ])
    )
    const matched = new Set([...matches.values()].flat())
    for (const one of found) {
      if (!matched.has(one)) wrong.falseDown.push(`server ${server} was reported down at ${one.from}`)
    }
    for (const [outage, its] of matches) {
      const isCertain = outage.to - outage.from >= CERTAIN_INTERVALS * intervalMs + slackMs && paused(outage) === 0
      if (its.length > 1 || (isCertain && its.length === 0)) {
        wrong.missed.push(
          `server ${server} was down from ${outage.from} to ${outage.to}, and has ${its.length} incidents`
        )
      }
      const last = its.at(-1)
      if (last === undefined) continue
      const late = (last.to ?? Number.POSITIVE_INFINITY) - outage.to
      if (paused(outage) === 0) recoveries.push(late)
      else pausedRecoveries.push(late)
      if (late > 2 * intervalMs + slackMs + paused(outage))
        wrong.recovery.push(`server ${server} was up at ${outage.to}, and reported so ${late} ms later`)
    }
    const truth = down.reduce((sum, { from, to }) => sum + to - from, 0)
    const allowed = down.reduce((sum, outage) => sum + intervalMs + slackMs + paused(outage), 0)
    const off = Math.abs(downMs - truth)
    trueDownMs += truth
    if (down.length > 0 && down.every((outage) => paused(outage) === 0)) {
      worstDownMs = Math.max(worstDownMs, off / down.length)
      sumDownMs += off
      seenOutages += down.length
    }
    if (off > allowed) {
      const details = JSON.stringify({ allowed, outages: down, incidents: found, pauses })
      wrong.availability.push(
        `server ${server} was down for ${truth} ms, and is reported to have been for ${downMs}: ${details}`
      )
    }
    for (const field of ["map", "name"] as const) {
      const should = expected.filter((step) => step.field === field).map(({ value }) => value)
      const has = changes.filter((change) => change.field === field)
      steps += should.length
      const first = field === "map" ? "first" : `server ${server}`
      const chain = has.map(({ from, to }) => `${from}>${to}`).join()
      const wanted = should.map((value, i) => `${i === 0 ? first : should[i - 1]}>${value}`).join()
      if (chain !== wanted)
        wrong.changes.push(`the ${field}s of server ${server} were ${wanted}, and are reported as ${chain}`)
    }
  }
  return {
    outages,
    incidents,
    steps,
    worstDownMs,
    sumDownMs,
    seenOutages,
    trueDownMs,
    recoveries,
    pausedRecoveries,
    wrong
  }
}
