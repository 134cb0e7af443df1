/** A running monitor: what it knows of its targets, and how it does. `makeMonitor.ts` starts one. */
import type { ScanBudget } from "@sourcewire/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Plan } from "../config/Config.ts"
import type { FoundList } from "../sources/FoundList.ts"
import type { StoreFailed, StoreTaken } from "../store/Store.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { Mute, Muted, Mutes } from "./Mutes.ts"
import type { News } from "./NewsFeed.ts"
import type { MonitorCounters } from "./ResultRecorder.ts"
import type { Watched } from "./Watched.ts"

export type { MonitorEvent } from "./MonitorEvent.ts"
export type { News } from "./NewsFeed.ts"

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
    unqueried: (): number => sum(({ unqueried }) => unqueried()),
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
    readonly writer: StoreWriter
    /** Fails when another monitor has taken the store over: then there is nothing left to do here. */
    readonly taken: Effect.Effect<never, StoreTaken>
    /** Targets whose turn has come and that have not been asked yet. */
    readonly waiting: () => number
    /** How long the one of them has waited that has waited longest, in ms. */
    readonly lateMs: () => number
    /** The number of slices whose targets this monitor asks. */
    readonly slices: () => number
    /** How many rows of the store could not be decoded, by table. */
    readonly unreadable: () => ReadonlyArray<readonly [table: string, count: number]>
    /** Slices that are this monitor's and whose targets it does not query: then it is not well. */
    readonly unqueried: () => number
    /** Which targets are muted. */
    readonly mutes: Mutes
    /** Why a target is muted now; `undefined` if it is not. */
    readonly muted: (target: Watched) => Muted | undefined
    /** Mutes a server or a group, and gives the number of the mute. */
    readonly mute: (mute: Omit<Mute, "id">) => Effect.Effect<number, StoreFailed>
    /** Ends a mute; gives whether there is one with this number. */
    readonly unmute: (id: number) => Effect.Effect<boolean, StoreFailed>
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
