/** How a fleet does: its runners, what each has told of itself, and which slices nobody asks. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SLICES } from "../store/slices.ts"

const Milliseconds = Schema.Finite

/** How long ago half of some targets, 99 in 100 and all were asked, at most; those that are down left out. */
const Ages = Schema.Struct({ p50Ms: Milliseconds, p99Ms: Milliseconds, maxMs: Milliseconds })
export type Ages = typeof Ages.Type

/** What a runner tells of itself. Runners of other releases read it too: what is added later is optional. */
export const RunnerReport = Schema.Struct({
  version: Schema.optionalKey(Schema.String),
  /** Where it is. */
  location: Schema.optionalKey(Schema.String),
  /** For how long it has been running. */
  upMs: Milliseconds,
  /** Servers that it asks. */
  targets: Schema.Int,
  /** Slices that it has locked and does not query. */
  unqueried: Schema.optionalKey(Schema.Int),
  /** Turns that ended, per second, in the last ten seconds. */
  perSecond: Schema.Finite,
  /** Servers whose turn has come and that wait to be asked. */
  waiting: Schema.Int,
  /** How late turns are given: how long the one of those has waited that has waited longest. */
  lagMs: Milliseconds,
  ages: Schema.optionalKey(Ages),
  /** How long ago the store was last written. */
  wroteMs: Schema.optionalKey(Milliseconds),
  /** Why it cannot be written. */
  storeTrouble: Schema.optionalKey(Schema.String),
  /** Changes and hours that could not be stored. */
  lost: Schema.Int
})
export type RunnerReport = typeof RunnerReport.Type

/** A machine that asks servers. */
export const Runner = Schema.Struct({
  name: Schema.String,
  /** Whether it has told of itself within the last six seconds. */
  alive: Schema.Boolean,
  /** Whether it is the one that answers. */
  self: Schema.Boolean,
  /** How long ago it last told; absent where it never did. */
  silentMs: Schema.optionalKey(Milliseconds),
  /** Slices that it owns. */
  slices: Schema.Int,
  /** What it told last. */
  report: Schema.optionalKey(RunnerReport)
}).annotate({ identifier: "Runner" })
export type Runner = typeof Runner.Type

/** All who ask. */
export const FleetStatus = Schema.Struct({
  /** Whether the servers are shared among several. */
  shared: Schema.Boolean,
  /** In so many slices servers are divided. */
  slices: Schema.Int,
  /** Slices whose owner is not alive. */
  orphaned: Schema.Int,
  /** By name. */
  runners: Schema.Array(Runner),
  /** Why nothing is known of the others. */
  trouble: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "FleetStatus" })
export type FleetStatus = typeof FleetStatus.Type

/** A runner of which nothing is heard for so long is dead, to the engine too: its slices go to others. */
export const EXPIRATION_MS = 6000

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(RunnerReport))

/** A runner of so many slices, by how long ago it last told, and what, as JSON; `null` where it never did. */
export const runnerOf = (name: string, slices: number, silentMs: number | null, report: string | null): Runner => {
  const told = Option.getOrUndefined(decode(report))
  return {
    name,
    alive: silentMs !== null && silentMs < EXPIRATION_MS,
    self: false,
    slices,
    ...(silentMs === null ? {} : { silentMs }),
    ...(told === undefined ? {} : { report: told })
  }
}

/** What the roster says, with what is known better of the runner that answers. */
export const fleetStatusOf = (shared: boolean, all: ReadonlyArray<Runner>, self?: Runner): FleetStatus => {
  const others = all.filter(({ name }) => name !== self?.name)
  const runners = [...(self === undefined ? [] : [self]), ...others].sort((a, b) => (a.name < b.name ? -1 : 1))
  const orphaned = runners.reduce((sum, { alive, slices }) => sum + (alive ? 0 : slices), 0)
  return { shared, slices: SLICES, orphaned, runners }
}
