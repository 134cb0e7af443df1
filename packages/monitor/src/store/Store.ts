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
import type { Observed } from "../watch/observe.ts"
import type { Known } from "../watch/Watched.ts"

/** Something changed at a target. */
export interface Change extends Observed {
  /** Grows with time, and is nobody else's. */
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
  /** Up to which change webhooks were told. */
  readonly told: ReadonlyMap<string, number>
}

/** An hour of a target. Its buckets are there while they are kept. */
export interface StoredHour {
  readonly hour: number
  readonly total: Totals
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
    readonly noteUnderWay: (
      owner: string,
      targets: ReadonlyArray<number>,
      atMs: number,
      isMore?: boolean
    ) => Effect.Effect<void, StoreFailed>
    /** Notes that somebody wants a target asked, whoever asks it. */
    readonly want: (target: number, atMs: number) => Effect.Effect<void, StoreFailed>
    /** Targets that were wanted since then, and those of which locations do not agree. */
    readonly wanted: (sinceMs: number) => Effect.Effect<ReadonlyArray<number>, StoreFailed>
    readonly changes: (query: ChangeQuery) => Effect.Effect<ReadonlyArray<Change>, StoreFailed>
    /** The hours of a target that are over, from the one of `fromMs` up to the one of `toMs`. */
    readonly hours: (
      target: number,
      fromMs: number,
      toMs: number
    ) => Effect.Effect<ReadonlyArray<StoredHour>, StoreFailed>
    /** Up to which change a webhook was told; `undefined` where it never was. */
    readonly told: (webhook: string) => Effect.Effect<number | undefined, StoreFailed>
    /** Removes what is older than it is to be kept. */
    readonly prune: (retention: Retention, nowMs: number) => Effect.Effect<void, StoreFailed>
  }
>()("@sourcewire/monitor/Store") {}

/** Of a store that is not to say what is watched, and for how long history is kept: nothing. */
export const withoutTargets = {
  enlist: () => Effect.void,
  publish: () => Effect.succeed(0),
  published: () => Effect.succeed(undefined),
  lists: () => Effect.succeed([]),
  keepList: () => Effect.void,
  dropLists: () => Effect.void,
  prune: () => Effect.void
} satisfies Partial<typeof Store.Service>

/** Keeps nothing: for a monitor without history. */
export const layerNone: Layer.Layer<Store> = Layer.sync(Store, () => {
  const ids = new Map<string, number>()
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
    noteUnderWay: () => Effect.void,
    want: () => Effect.void,
    wanted: () => Effect.succeed([]),
    changes: () => Effect.succeed([]),
    hours: () => Effect.succeed([]),
    told: () => Effect.succeed(undefined)
  }
})
