/** The interface of a running monitor. `makeMonitor.ts` starts a monitor. */
import type { ScanBudget } from "@sourcewire/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Plan } from "../config/Config.ts"
import type { FoundList } from "../sources/FoundList.ts"
import type { StoredFinding } from "../store/findings.ts"
import type { StoreFailed, StoreTaken } from "../store/Store.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { Mute, Muted, Mutes } from "./Mutes.ts"
import type { Updates } from "./UpdateFeed.ts"
import type { MonitorCounters } from "./ResultRecorder.ts"
import type { Watched } from "./Watched.ts"

export type { MonitorEvent } from "./MonitorEvent.ts"
export type { Updates } from "./UpdateFeed.ts"

/** Options of a monitor. */
export interface MonitorOptions {
  /** The plan with the targets (default: the plan in the store, which another instance has published). */
  readonly plan?: Plan | undefined
  /** The monitor calls this function with each message for the operator. */
  readonly onEvent?: (event: MonitorEvent) => void
  /**
   * Limits that all scans of this process share. By default, this monitor has its own limits, and the number of datagrams per second is not
   * limited.
   */
  readonly budget?: ScanBudget
  /**
   * If no other instance claims a released slice, this instance continues to query the slice for this time after the release, in
   * milliseconds (default: ten minutes).
   */
  readonly graceMs?: number
  /** Base time limit for an operation of a shared store, in milliseconds (default: ten seconds). */
  readonly answerMs?: number
}

/** Combines the metrics of all monitors of a process: `lateMs` is the maximum, and all other metrics are totals. */
export const inAll = (monitors: ReadonlyArray<typeof Monitor.Service>) => {
  const sum = (of: (monitor: typeof Monitor.Service) => number): number =>
    monitors.reduce((all, monitor) => all + of(monitor), 0)
  const counted = (counter: keyof MonitorCounters): number => sum(({ counters }) => counters[counter])
  return {
    counted,
    waiting: (): number => sum(({ waiting }) => waiting()),
    unqueried: (): number => sum(({ unqueried }) => unqueried()),
    lateMs: (): number => Math.max(...monitors.map(({ lateMs }) => lateMs()))
  }
}

/** A running monitor. */
export class Monitor extends Context.Service<
  Monitor,
  {
    /** All targets of the plan that are in the store, by target number. */
    readonly targets: ReadonlyMap<number, Watched>
    /** The targets that this monitor queries. In a fleet, the other instances query the remaining targets. */
    readonly ownTargets: () => ReadonlyArray<Watched>
    readonly find: (address: string) => Watched | undefined
    readonly plan: () => Plan
    readonly counters: Readonly<MonitorCounters>
    readonly budget: ScanBudget
    /** The store writer, which also reports the state of the store. */
    readonly writer: StoreWriter
    /** Fails when another monitor has claimed the store. This monitor must then stop. */
    readonly taken: Effect.Effect<never, StoreTaken>
    /** The number of targets whose check is due but has not begun yet. */
    readonly waiting: () => number
    /** How long the oldest due target has waited, in milliseconds. */
    readonly lateMs: () => number
    /** The number of slices whose targets this monitor queries. */
    readonly slices: () => number
    /** The number of rows in the store that could not be decoded, by table. */
    readonly unreadable: () => ReadonlyArray<readonly [table: string, count: number]>
    /** The number of slices that this monitor owns but does not query. A number above 0 indicates an error. */
    readonly unqueried: () => number
    /** The findings that apply to a target now. If the target's group does not set `verdicts`, the target has no findings. */
    readonly findings: (target: number) => ReadonlyArray<StoredFinding>
    readonly mutes: Mutes
    /** Why a target is muted now; `undefined` if the target is not muted. */
    readonly muted: (target: Watched) => Muted | undefined
    /** Mutes a server or a group, and returns the number of the mute. */
    readonly mute: (mute: Omit<Mute, "id">) => Effect.Effect<number, StoreFailed>
    /** Ends a mute, and returns whether a mute with this number exists. */
    readonly unmute: (id: number) => Effect.Effect<boolean, StoreFailed>
    /** Calls `listener` once a second with the updates since the previous call. The returned function unsubscribes. */
    readonly subscribe: (listener: (updates: Updates) => void) => () => void
    /** Reads the results that other instances have stored for the given targets (default: for all targets of other instances). */
    readonly refresh: (targets?: ReadonlyArray<Watched>) => Effect.Effect<void>
    /** Replaces the plan, and monitors the targets of the new plan. */
    readonly follow: (plan: Plan) => Effect.Effect<void, StoreFailed>
    /** The last list of each source. The keys of the map are the keys of the sources. */
    readonly lists: ReadonlyMap<string, FoundList>
    /** Stores the list of a source, and monitors the servers of the list. */
    readonly saveList: (source: string, list: FoundList) => Effect.Effect<void, StoreFailed>
  }
>()("@sourcewire/monitor/Monitor") {}
