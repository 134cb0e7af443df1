/** A running monitor: what it knows of its targets, and how it does. `makeMonitor.ts` starts one. */
import type { ScanBudget } from "@sourcewire/core/machines"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Plan } from "../config/Config.ts"
import type { FoundList } from "../sources/FoundList.ts"
import type { Change, StoreFailed, StoreTaken } from "../store/Store.ts"
import type { Keeper } from "./Keeper.ts"
import type { Watched } from "./Watched.ts"

/** What has come since the last time, once a second. */
export interface News {
  readonly changes: ReadonlyArray<Change>
  /** Targets that were asked. */
  readonly updated: ReadonlyArray<Watched>
}

/** Numbers about the monitor itself. */
export interface MonitorCounters {
  asked: number
  answered: number
  /** Turns of which nothing is known, since a fault of this machine kept the question from going out. */
  unsent: number
}

/** Something that the operator may want to know. */
export interface MonitorEvent {
  readonly level: "info" | "warn" | "error"
  readonly event: string
  readonly message: string
}

/** How a monitor is started. */
export interface MonitorOptions {
  /** What is watched; what others have published unless it is given. */
  readonly plan?: Plan | undefined
  /** Hears what the operator may want to know. */
  readonly onEvent?: (event: MonitorEvent) => void
  /** What all who ask on this machine may take together; one of its own unless given, without a limit of datagrams a second. */
  readonly budget?: ScanBudget
  /** So long a slice is asked on that is ours no longer, unless somebody else takes it; ten minutes unless given, in ms. */
  readonly graceMs?: number
  /** So long a store that is shared may take to answer; ten seconds unless given, in ms. */
  readonly answerMs?: number
}

/** What several monitors of one machine do in all. */
export const inAll = (monitors: ReadonlyArray<typeof Monitor.Service>) => {
  const sum = (of: (monitor: typeof Monitor.Service) => number): number =>
    monitors.reduce((all, monitor) => all + of(monitor), 0)
  const counted = (counter: keyof MonitorCounters): number => sum(({ counters }) => counters[counter])
  return {
    counted,
    waiting: (): number => sum(({ waiting }) => waiting()),
    lateMs: (): number => Math.max(...monitors.map(({ lateMs }) => lateMs()))
  }
}

/** A running monitor: what it knows of its targets, and how it does. */
export class Monitor extends Context.Service<
  Monitor,
  {
    /** By number. */
    readonly targets: ReadonlyMap<number, Watched>
    /** Those that this monitor asks; others may ask the rest. */
    readonly ours: () => ReadonlyArray<Watched>
    readonly find: (address: string) => Watched | undefined
    readonly plan: () => Plan
    readonly counters: Readonly<MonitorCounters>
    readonly budget: ScanBudget
    /** How the store does. */
    readonly keeper: Keeper
    /** Fails when another monitor has taken the store over: then there is nothing left to do here. */
    readonly taken: Effect.Effect<never, StoreTaken>
    /** Targets whose turn has come and that have not been asked yet. */
    readonly waiting: () => number
    /** How long the one of them has waited that has waited longest, in ms. */
    readonly lateMs: () => number
    /** The number of slices whose targets this monitor asks. */
    readonly slices: () => number
    /** Somebody looks at a target: if its last turn is longer ago than its interval, whoever asks it does so at once. */
    readonly look: (target: Watched) => Effect.Effect<void>
    /** Calls `listener` with what has come, once a second; the result ends that. */
    readonly subscribe: (listener: (news: News) => void) => () => void
    /** Learns what others know of those among the targets that they ask; of all of them unless they are named. */
    readonly refresh: (targets?: ReadonlyArray<Watched>) => Effect.Effect<void>
    /** Watches what another plan says. */
    readonly follow: (plan: Plan) => Effect.Effect<void, StoreFailed>
    /** What the sources of targets have given, by their keys. */
    readonly lists: ReadonlyMap<string, FoundList>
    /** A source has given this: its servers are watched. */
    readonly keepList: (source: string, list: FoundList) => Effect.Effect<void, StoreFailed>
  }
>()("@sourcewire/monitor/Monitor") {}
