/** The status of a fleet: its runners, their reports, and slices without an owner. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SLICES } from "../store/slices.ts"

const Milliseconds = Schema.Finite

/** The time since the last query of a target: median, 99th percentile and maximum, without targets that are down. */
const Ages = Schema.Struct({ p50Ms: Milliseconds, p99Ms: Milliseconds, maxMs: Milliseconds })
export type Ages = typeof Ages.Type

/** The report of a runner. Runners of other releases read it too, so later fields must be optional. */
export const RunnerReport = Schema.Struct({
  version: Schema.optionalKey(Schema.String),
  location: Schema.optionalKey(Schema.String),
  /** How long it has been running. */
  upMs: Milliseconds,
  /** Targets that it queries. */
  targets: Schema.Int,
  /** Slices that it has locked and does not query. */
  unqueried: Schema.optionalKey(Schema.Int),
  /** Completed queries per second, over the last ten seconds. */
  perSecond: Schema.Finite,
  /** Due targets that wait to be queried. */
  waiting: Schema.Int,
  /** For how long the oldest due target has waited. */
  lagMs: Milliseconds,
  ages: Schema.optionalKey(Ages),
  /** Time since the last write to the store. */
  wroteMs: Schema.optionalKey(Milliseconds),
  /** Why the store cannot be written. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Changes, incidents and hours of history that could not be stored. */
  lost: Schema.Int
})
export type RunnerReport = typeof RunnerReport.Type

/** A runner of the fleet. */
export const Runner = Schema.Struct({
  name: Schema.String,
  /** Whether it has reported within the last six seconds. */
  alive: Schema.Boolean,
  /** Whether it is the one that replies. */
  self: Schema.Boolean,
  /** Time since its last report; absent if there is none. */
  silentMs: Schema.optionalKey(Milliseconds),
  /** Slices that it owns. */
  slices: Schema.Int,
  /** Its last report. */
  report: Schema.optionalKey(RunnerReport)
}).annotate({ identifier: "Runner" })
export type Runner = typeof Runner.Type

/** The status of all runners. */
export const FleetStatus = Schema.Struct({
  /** Whether several runners share the targets. */
  shared: Schema.Boolean,
  /** The number of slices. */
  slices: Schema.Int,
  /** Slices whose owner is not alive. */
  orphaned: Schema.Int,
  /** Sorted by name. */
  runners: Schema.Array(Runner),
  /** Why the status of the others is unknown. */
  trouble: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "FleetStatus" })
export type FleetStatus = typeof FleetStatus.Type

/** A runner without a report for this long counts as dead. The engine uses the same time and gives its slices to others. */
export const EXPIRATION_MS = 6000

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(RunnerReport))

/** A runner from its row: the number of its slices, the time since its last report, and the report as JSON; `null` without a report. */
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

/** The status from the roster. `self` is the current state of the replying runner, which is newer than its last report. */
export const makeFleetStatus = (shared: boolean, all: ReadonlyArray<Runner>, self?: Runner): FleetStatus => {
  const others = all.filter(({ name }) => name !== self?.name)
  const runners = [...(self === undefined ? [] : [self]), ...others].sort((a, b) => (a.name < b.name ? -1 : 1))
  const orphaned = runners.reduce((sum, { alive, slices }) => sum + (alive ? 0 : slices), 0)
  return { shared, slices: SLICES, orphaned, runners }
}
