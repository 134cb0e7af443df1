/** The status of a fleet: its runners, the reports of the runners, and the number of slices whose owner is not alive. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SLICES } from "../store/slices.ts"

const Milliseconds = Schema.Finite

/**
 * The times since the last query of each target: the median, the 99th percentile and the maximum. Targets that are down are not included.
 */
const Ages = Schema.Struct({ p50Ms: Milliseconds, p99Ms: Milliseconds, maxMs: Milliseconds })
export type Ages = typeof Ages.Type

/**
 * The report of a runner. The runners of a fleet can be different releases, and read each other's reports. Therefore each new field must be
 * optional.
 */
export const RunnerReport = Schema.Struct({
  version: Schema.optionalKey(Schema.String),
  location: Schema.optionalKey(Schema.String),
  /** How long the runner has been running. */
  upMs: Milliseconds,
  /** Number of targets that the runner queries. */
  targets: Schema.Int,
  /** Number of slices that the runner has locked, but whose targets it has not queried for a few seconds. */
  unqueried: Schema.optionalKey(Schema.Int),
  /** Completed queries per second, over the last ten seconds. */
  perSecond: Schema.Finite,
  /** Number of targets whose next query is due, but has not been sent yet. */
  waiting: Schema.Int,
  /**
   * Time since the next query of a target became due, if this query has not been sent yet. If the queries of several targets are due, this
   * is the longest time.
   */
  lagMs: Milliseconds,
  ages: Schema.optionalKey(Ages),
  /** Time since the runner last wrote to the store. */
  wroteMs: Schema.optionalKey(Milliseconds),
  /** Why the runner cannot write to the store. Absent if the runner can write to the store. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Number of changes, incidents and hours of history that could not be stored. */
  lost: Schema.Int
})
export type RunnerReport = typeof RunnerReport.Type

/** A runner of the fleet. */
export const Runner = Schema.Struct({
  name: Schema.String,
  /** Whether the runner has reported within the last six seconds. */
  alive: Schema.Boolean,
  /** Whether this is the runner that sends this reply. */
  self: Schema.Boolean,
  /** Time since the last report of the runner; absent if the runner has not reported. */
  silentMs: Schema.optionalKey(Milliseconds),
  /** Number of slices that the runner owns. */
  slices: Schema.Int,
  /** The last report of the runner. */
  report: Schema.optionalKey(RunnerReport)
}).annotate({ identifier: "Runner" })
export type Runner = typeof Runner.Type

/** The status of all runners. */
export const FleetStatus = Schema.Struct({
  /** Whether several runners share the targets. */
  shared: Schema.Boolean,
  /** The number of slices into which the targets are divided. */
  slices: Schema.Int,
  /** Number of slices whose owner is not alive. */
  orphaned: Schema.Int,
  /** The runners, sorted by name. */
  runners: Schema.Array(Runner),
  /** Why the reports of the other runners cannot be read. Absent if these reports can be read. */
  trouble: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "FleetStatus" })
export type FleetStatus = typeof FleetStatus.Type

/**
 * If a runner has stored no report for this time, the status shows the runner as dead. If a runner has not renewed its locks for this time,
 * the engine assigns the slices of this runner to other runners.
 */
export const EXPIRATION_MS = 6000

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(RunnerReport))

/**
 * Decodes a runner from its row in the database. `report` is the last report of the runner, as JSON, and `silentMs` is the time since this
 * report. Both values are `null` if the runner has not reported.
 */
export const decodeRunner = (name: string, slices: number, silentMs: number | null, report: string | null): Runner => {
  const decoded = Option.getOrUndefined(decode(report))
  return {
    name,
    alive: silentMs !== null && silentMs < EXPIRATION_MS,
    self: false,
    slices,
    ...(silentMs === null ? {} : { silentMs }),
    ...(decoded === undefined ? {} : { report: decoded })
  }
}

/**
 * Combines the runners of a fleet into the status of the fleet. `self` is the runner that sends the status. The current report in `self`
 * replaces the report that this runner last stored.
 */
export const makeFleetStatus = (shared: boolean, all: ReadonlyArray<Runner>, self?: Runner): FleetStatus => {
  const others = all.filter(({ name }) => name !== self?.name)
  const runners = [...(self === undefined ? [] : [self]), ...others].sort((a, b) => (a.name < b.name ? -1 : 1))
  const orphaned = runners.reduce((sum, { alive, slices }) => sum + (alive ? 0 : slices), 0)
  return { shared, slices: SLICES, orphaned, runners }
}
