/**
 * What the monitor keeps: targets, what is known of them, what has changed, how it was. One transaction a second, in which everything
 * has its key, so that writing the same again changes nothing.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Retention } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import type { Totals } from "../history/packedBucket.ts"
import type { StateTime } from "../history/StateTime.ts"
import type { Incident } from "../watch/incidents.ts"
import type { Mute } from "../watch/Mutes.ts"
import type { Observed } from "../watch/observe.ts"
import type { Known } from "../watch/Watched.ts"
import { UnreadableRows } from "./UnreadableRows.ts"

/** Something changed at a target. */
export interface Change extends Observed {
  /** Grows with time. The store assigns it: one that is given may be replaced by a larger one. */
  readonly id: number
  readonly target: number
}

/** A target as it is to be stored. */
export interface NewTarget {
  readonly address: string
  readonly slice: number
  readonly group: string
  readonly labels: Readonly<Record<string, string>>
}

/** A row to be written, and the slice whose owner may write it. */
export type OfSlice<A> = A & { readonly slice: number }

/** What is known of a target. */
export interface KnownRow {
  readonly target: number
  readonly known: Known
  /** The store has its last answer already. */
  readonly hasAnswer?: boolean
}

/** What one transaction writes. */
export interface Batch {
  readonly known: ReadonlyArray<OfSlice<KnownRow>>
  readonly changes: ReadonlyArray<OfSlice<Change>>
  readonly hours: ReadonlyArray<OfSlice<{ readonly target: number; readonly samples: HourSamples }>>
  /** Incidents that have begun, or ended: a target and the time since which it is down identify one. */
  readonly incidents: ReadonlyArray<OfSlice<Incident & { readonly target: number }>>
  /** Up to which change webhooks were told. */
  readonly positions: ReadonlyMap<string, number>
}

/** An hour of a target. Its buckets are there while they are kept. */
export interface StoredHour {
  readonly hour: number
  readonly total: Totals
  readonly time: StateTime
  readonly fine: HourSamples | undefined
}

/** A configuration for all who watch. */
export interface Published {
  readonly version: number
  /** As JSON. */
  readonly config: string
}

/** What a source of targets has given, as text. */
export interface StoredList {
  readonly source: string
  /** Grows with each list that is stored. */
  readonly version: number
  readonly text: string
}

/** Which changes are wanted: the newest `limit` of those before `before`, or the oldest after `after`. */
export interface ChangeQuery {
  readonly target?: number | undefined
  readonly field?: Change["field"] | undefined
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly limit: number
}

/** Why nothing was removed: the time is so far ahead of the newest history, and is believed in so long. */
export interface RetentionWait {
  readonly aheadMs: number
  readonly waitMs: number
}

/** An incident, and the server that it is of, which may not be watched any more. */
export interface StoredIncident extends Incident {
  readonly target: number
  readonly address: string
  readonly group: string
  /** What is known of the server now, as far as it tells whether the incident is over. */
  readonly isWatched: boolean
}

/** Which incidents are wanted: the newest `limit` of those that overlap a period, by the time at which they began. */
export interface IncidentQuery {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly target?: number | ReadonlyArray<number> | undefined
  readonly group?: string | undefined
  /** Only those that come after this one in this order. */
  readonly after?: { readonly from: number; readonly target: number } | undefined
  readonly limit: number
}

/** The store cannot be used now: a disk is full, a database is away. */
export class StoreFailed extends Data.TaggedError("StoreFailed")<{ readonly message: string }> {}

/** Another monitor has opened the store since, and owns what is in it. */
export class StoreTaken extends Data.TaggedError("StoreTaken")<{ readonly message: string }> {}

/** Where a monitor keeps what it learns: SQLite or Postgres. */
export class Store extends Context.Service<
  Store,
  {
    /**
     * Makes this monitor the owner of slices. Who owned them before can write nothing of them any more. Gives those that somebody else
     * has owned since this monitor last did, or since ever.
     */
    readonly claim: (owner: string, slices: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreFailed>
    /** Enters targets; those that are not named are no longer watched. */
    readonly enlist: (targets: ReadonlyArray<NewTarget>, atMs: number) => Effect.Effect<void, StoreFailed>
    /** Enters targets, unless those of the same configuration were the last, and keeps the configuration for others; gives its version. */
    readonly publish: (
      config: string,
      targets: ReadonlyArray<NewTarget>,
      atMs: number
    ) => Effect.Effect<number, StoreFailed>
    /** The configuration that was published, unless its version is the one given. */
    readonly published: (version: number) => Effect.Effect<Published | undefined, StoreFailed>
    /** The lists that were stored after this version, the oldest first. */
    readonly lists: (after: number) => Effect.Effect<ReadonlyArray<StoredList>, StoreFailed>
    /** Stores a list, and with it the targets that come and the addresses of those that are no longer watched. */
    readonly keepList: (
      list: Omit<StoredList, "version">,
      coming: ReadonlyArray<NewTarget>,
      leaving: ReadonlyArray<string>,
      atMs: number
    ) => Effect.Effect<void, StoreFailed>
    /** Notes that a source is being read; `keepList` ends that. */
    readonly beginReading: (source: string, atMs: number) => Effect.Effect<void, StoreFailed>
    /** Attempts to read a source that did not end, since the last one that did, and when the last of them began. */
    readonly unfinishedReading: (
      source: string
    ) => Effect.Effect<{ readonly attempts: number; readonly beganAt: number } | undefined, StoreFailed>
    /** Removes the lists of all other sources. */
    readonly dropLists: (except: ReadonlyArray<string>) => Effect.Effect<void, StoreFailed>
    /** The numbers of the targets that are watched. */
    readonly watched: Effect.Effect<ReadonlyMap<string, number>, StoreFailed>
    /** What is known of the watched targets among these, or of these slices, by number; whoever is under way counts as asked. */
    readonly known: (
      of: "targets" | "slices",
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, Known>, StoreFailed>
    /** Writes what is of slices that this monitor owns, and gives the slices that it owns no longer. */
    readonly write: (batch: Batch) => Effect.Effect<ReadonlyArray<number>, StoreFailed>
    /** Notes whom this monitor has asked whose results it has not stored, in place of what it noted before, or besides (`isMore`). */
    readonly noteInFlight: (
      owner: string,
      targets: ReadonlyArray<number>,
      atMs: number,
      isMore?: boolean
    ) => Effect.Effect<void, StoreFailed>
    readonly changes: (query: ChangeQuery) => Effect.Effect<ReadonlyArray<Change>, StoreFailed>
    /** The hours of a target that are over, from the one of `fromMs` up to the one of `toMs`. */
    readonly hours: (
      target: number,
      fromMs: number,
      toMs: number
    ) => Effect.Effect<ReadonlyArray<StoredHour>, StoreFailed>
    /** The time in each state of some targets, from one hour up to another that is left out; by target, if there is any. */
    readonly stateTime: (
      targets: ReadonlyArray<number>,
      fromMs: number,
      toMs: number
    ) => Effect.Effect<ReadonlyMap<number, StateTime>, StoreFailed>
    readonly incidents: (query: IncidentQuery) => Effect.Effect<ReadonlyArray<StoredIncident>, StoreFailed>
    /** Mutes that have not ended before this time. */
    readonly mutes: (sinceMs: number) => Effect.Effect<ReadonlyArray<Mute>, StoreFailed>
    /** Adds a mute, and gives its number. */
    readonly addMute: (mute: Omit<Mute, "id">) => Effect.Effect<number, StoreFailed>
    /** Ends a mute at a time, unless it has ended before; gives whether there was such a mute. */
    readonly endMute: (id: number, atMs: number) => Effect.Effect<boolean, StoreFailed>
    /** Up to which change a webhook was told; `undefined` where it never was. */
    readonly webhookPosition: (webhook: string) => Effect.Effect<number | undefined, StoreFailed>
    /** Rows that could not be decoded. */
    readonly unreadable: UnreadableRows
    /**
     * Removes what is older than it is to be kept. If the time is far ahead of the newest history, the clock may be wrong: then nothing is
     * removed until the monitor has been running for some days. `elapsedMs` is how long it has since the last call.
     */
    readonly prune: (
      retention: Retention,
      nowMs: number,
      elapsedMs: number
    ) => Effect.Effect<RetentionWait | undefined, StoreFailed>
  }
>()("@sourcewire/monitor/Store") {}

/** Of a store that is not to say what is watched, and for how long history is kept: nothing. */
export const withoutTargets = {
  enlist: () => Effect.void,
  publish: () => Effect.succeed(0),
  published: () => Effect.succeed(undefined),
  lists: () => Effect.succeed([]),
  keepList: () => Effect.void,
  beginReading: () => Effect.void,
  unfinishedReading: () => Effect.succeed(undefined),
  dropLists: () => Effect.void,
  prune: () => Effect.succeed(undefined)
} satisfies Partial<typeof Store.Service>

/** Keeps nothing: for a monitor without history. */
export const layerNone: Layer.Layer<Store> = Layer.sync(Store, () => {
  const ids = new Map<string, number>()
  const mutes = new Map<number, Mute>()
  let count = 0
  const enter = (targets: ReadonlyArray<NewTarget>): void =>
    targets.forEach(({ address }) => ids.set(address, ids.get(address) ?? ++count))
  return {
    ...withoutTargets,
    claim: () => Effect.succeed([]),
    enlist: (targets) => Effect.sync(() => enter(targets)),
    keepList: (_list, coming, leaving) =>
      Effect.sync(() => {
        for (const address of leaving) ids.delete(address)
        enter(coming)
      }),
    watched: Effect.sync(() => new Map(ids)),
    known: () => Effect.succeed(new Map<number, Known>()),
    write: () => Effect.succeed([]),
    noteInFlight: () => Effect.void,
    changes: () => Effect.succeed([]),
    hours: () => Effect.succeed([]),
    stateTime: () => Effect.succeed(new Map()),
    incidents: () => Effect.succeed([]),
    mutes: () => Effect.sync(() => [...mutes.values()]),
    addMute: (mute) =>
      Effect.sync(() => {
        const id = mutes.size + 1
        mutes.set(id, { id, ...mute })
        return id
      }),
    endMute: (id, atMs) =>
      Effect.sync(() => {
        const mute = mutes.get(id)
        if (mute === undefined) return false
        mutes.set(id, { ...mute, until: Math.min(mute.until ?? atMs, atMs) })
        return true
      }),
    webhookPosition: () => Effect.succeed(undefined),
    unreadable: new UnreadableRows()
  }
})
