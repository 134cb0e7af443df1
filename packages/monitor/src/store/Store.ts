/**
 * The interface of the monitor's store. The store contains the targets, the latest state of each target, the changes of targets, and the
 * aggregated history. The monitor writes its results in one transaction per second, or more often in a fleet. A row of a batch is
 * identified by its content, for example its target and its time, and not by a generated number. Therefore, if a batch is written twice,
 * each row is stored only once.
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
import { compareFindings, type Judgement, type StoredFinding } from "./findings.ts"
import { UnreadableRows } from "./UnreadableRows.ts"

/** A stored change of a target. */
export interface Change extends Observed {
  /**
   * The number of the change. When the store stores a change of a batch, it replaces the change's number with a number larger than all
   * stored numbers.
   */
  readonly id: number
  readonly target: number
}

/** A target to store. */
export interface NewTarget {
  readonly address: string
  readonly slice: number
  readonly group: string
  readonly labels: Readonly<Record<string, string>>
}

/** A row to write, and the slice of its target. Only the monitor that owns the slice may write the row. */
export type WithSlice<A> = A & { readonly slice: number }

/** The latest state of a target. */
export interface KnownRow {
  readonly target: number
  readonly known: Known
  /** Whether the store already contains the last reply of the target. If true, the last reply is not written again. */
  readonly hasAnswer?: boolean
}

/** The rows of one transaction. */
export interface Batch {
  readonly known: ReadonlyArray<WithSlice<KnownRow>>
  readonly changes: ReadonlyArray<WithSlice<Change>>
  readonly hours: ReadonlyArray<WithSlice<{ readonly target: number; readonly samples: HourSamples }>>
  /** Incidents that began or ended. An incident is identified by its target and its start. */
  readonly incidents: ReadonlyArray<WithSlice<Incident & { readonly target: number }>>
  /** For each webhook: the number of the last change whose alerts were sent. The alerts for all earlier changes were sent, too. */
  readonly positions: ReadonlyMap<string, number>
}

/** One hour of the history of a target. `fine` contains the five-minute buckets of this hour, until retention removes the buckets. */
export interface StoredHour {
  readonly hour: number
  readonly total: Totals
  readonly time: StateTime
  readonly fine: HourSamples | undefined
}

/** The configuration that all instances on a store share. */
export interface Published {
  readonly version: number
  readonly config: string
}

/** The last list of a source, as text. */
export interface StoredList {
  readonly source: string
  /** The version of a list is larger than the versions of all lists that were stored earlier. */
  readonly version: number
  readonly text: string
}

/**
 * Selects at most `limit` changes. If `after` is set, selects the oldest of the changes whose number is larger than `after`. If `after` is
 * not set, selects the newest changes. If `before` is set, selects only changes whose number is smaller than `before`.
 */
export interface ChangeQuery {
  readonly target?: number | undefined
  readonly field?: Change["field"] | undefined
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly limit: number
}

/**
 * The result of `prune` if it removed no rows because the clock may be wrong. The clock is `aheadMs` ahead of the last time at which
 * `prune` trusted the clock. If `prune` has never trusted the clock, the time of the newest history is used instead. `prune` trusts the
 * clock after the monitor has run for another `waitMs`.
 */
export interface RetentionWait {
  readonly aheadMs: number
  readonly waitMs: number
}

/** A stored incident and its target. */
export interface StoredIncident extends Incident {
  readonly target: number
  readonly address: string
  readonly group: string
  /** Whether the target is still monitored. */
  readonly isWatched: boolean
}

/**
 * Selects the newest incidents that overlap the period from `fromMs` to `toMs`, at most `limit` incidents. The incidents are ordered by
 * their start, the newest first.
 */
export interface IncidentQuery {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly target?: number | ReadonlyArray<number> | undefined
  readonly group?: string | undefined
  /**
   * The last incident of the previous page. Only incidents that follow it in the list are selected. The newest incident is first in the
   * list, so the selected incidents began earlier, or began at the same time and have a smaller target number.
   */
  readonly after?: { readonly from: number; readonly target: number } | undefined
  readonly limit: number
}

/** The store is currently not usable. For example, a disk is full or a database is unreachable. */
export class StoreFailed extends Data.TaggedError("StoreFailed")<{ readonly message: string }> {}

/** Another monitor has opened the store after this monitor, and now owns the slices. */
export class StoreTaken extends Data.TaggedError("StoreTaken")<{ readonly message: string }> {}

/** The monitor's database: SQLite or Postgres. */
export class Store extends Context.Service<
  Store,
  {
    /**
     * Makes this monitor the owner of slices. The store then rejects writes to these slices by their previous owners. Returns the slices
     * that this monitor has not claimed before, or that another monitor has claimed since this monitor's previous claim.
     */
    readonly claim: (owner: string, slices: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StoreFailed>
    /** Stores `targets` as monitored, and marks all other targets in the store as no longer monitored. */
    readonly enlist: (targets: ReadonlyArray<NewTarget>, atMs: number) => Effect.Effect<void, StoreFailed>
    /**
     * Stores the configuration and its targets, and returns the version of the configuration. If the store already contains the same
     * configuration, nothing is written, and the version stays the same.
     */
    readonly publish: (
      config: string,
      targets: ReadonlyArray<NewTarget>,
      atMs: number
    ) => Effect.Effect<number, StoreFailed>
    /** Returns the configuration that was last stored with `publish`; `undefined` if the version of this configuration equals `version`. */
    readonly published: (version: number) => Effect.Effect<Published | undefined, StoreFailed>
    /** The lists whose version is larger than `after`, the oldest first. */
    readonly lists: (after: number) => Effect.Effect<ReadonlyArray<StoredList>, StoreFailed>
    /**
     * Stores a list of a source, stores the targets in `coming` as monitored, and marks the targets in `leaving` as no longer monitored.
     */
    readonly saveList: (
      list: Omit<StoredList, "version">,
      coming: ReadonlyArray<NewTarget>,
      leaving: ReadonlyArray<string>,
      atMs: number
    ) => Effect.Effect<void, StoreFailed>
    /** Records that the monitor begins to read a source. The reading ends when `saveList` stores the list that was read. */
    readonly beginReading: (source: string, atMs: number) => Effect.Effect<void, StoreFailed>
    /**
     * The number of readings of a source that have begun since the last list of this source was stored, and the start of the latest of
     * these readings. `undefined` if no reading has begun since that list was stored.
     */
    readonly unfinishedReading: (
      source: string
    ) => Effect.Effect<{ readonly attempts: number; readonly beganAt: number } | undefined, StoreFailed>
    /** Removes the lists of all sources that are not in `except`. */
    readonly dropLists: (except: ReadonlyArray<string>) => Effect.Effect<void, StoreFailed>
    /** The numbers of the monitored targets, by address. */
    readonly watched: Effect.Effect<ReadonlyMap<string, number>, StoreFailed>
    /**
     * The latest state of monitored targets. The keys of the map are numbers of targets. `numbers` contains numbers of targets or of
     * slices, depending on `of`. In the result, `queriedAt` is the time of the last query, even if this query is still in flight.
     */
    readonly known: (
      of: "targets" | "slices",
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyMap<number, Known>, StoreFailed>
    /** Writes only the rows whose slices this monitor still owns. Returns the slices that this monitor has lost to other monitors. */
    readonly write: (batch: Batch) => Effect.Effect<ReadonlyArray<number>, StoreFailed>
    /**
     * Records that this monitor has queried these targets, and has not stored their results yet. If `isMore` is true, the targets are added
     * to the previous record of this monitor. Otherwise, the new record replaces the previous record.
     */
    readonly noteInFlight: (
      owner: string,
      targets: ReadonlyArray<number>,
      atMs: number,
      isMore?: boolean
    ) => Effect.Effect<void, StoreFailed>
    readonly changes: (query: ChangeQuery) => Effect.Effect<ReadonlyArray<Change>, StoreFailed>
    /** The stored hours of a target, from the hour that contains `fromMs` to the hour that contains `toMs`, both included. */
    readonly hours: (
      target: number,
      fromMs: number,
      toMs: number
    ) => Effect.Effect<ReadonlyArray<StoredHour>, StoreFailed>
    /**
     * The time that each target has spent in each state during a period. The period begins with the hour that contains `fromMs`, and ends
     * before the hour that contains `toMs`. Targets without stored hours in this period are absent.
     */
    readonly stateTime: (
      targets: ReadonlyArray<number>,
      fromMs: number,
      toMs: number
    ) => Effect.Effect<ReadonlyMap<number, StateTime>, StoreFailed>
    readonly incidents: (query: IncidentQuery) => Effect.Effect<ReadonlyArray<StoredIncident>, StoreFailed>
    /**
     * If the parameter `query` is absent, returns the current findings about all monitored targets. Otherwise, returns all findings about
     * one target, the newest first.
     */
    readonly findings: (query?: {
      readonly target: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<StoredFinding>, StoreFailed>
    /**
     * Compares new findings with the stored findings, and stores the differences. If a stored finding has not been observed again for
     * `endAfterMs`, the finding ends. Returns a change for each finding that has become strong or is no longer strong. If two instances
     * compare the same findings at the same time, each finding is stored only once.
     */
    readonly judge: (
      judgements: ReadonlyArray<Judgement>,
      atMs: number,
      endAfterMs: number
    ) => Effect.Effect<ReadonlyArray<Change>, StoreFailed>
    /** The mutes that end after `sinceMs` or have no end. */
    readonly mutes: (sinceMs: number) => Effect.Effect<ReadonlyArray<Mute>, StoreFailed>
    /** Adds a mute and returns its number. */
    readonly addMute: (mute: Omit<Mute, "id">) => Effect.Effect<number, StoreFailed>
    /** Ends a mute at `atMs`. If the mute already ends earlier, its end does not change. Returns whether the mute exists. */
    readonly endMute: (id: number, atMs: number) => Effect.Effect<boolean, StoreFailed>
    /**
     * Returns the id of the last change whose alerts were sent to the webhook. The alerts for all earlier changes were sent, too.
     * Returns `undefined` for a new webhook.
     */
    readonly webhookPosition: (webhook: string) => Effect.Effect<number | undefined, StoreFailed>
    readonly unreadable: UnreadableRows
    /**
     * Removes rows that are older than the retention allows. If the clock is far ahead of the last time at which `prune` trusted the clock,
     * the clock may be wrong. In this case, `prune` removes no rows until the monitor has run with such a clock for seven days. `elapsedMs`
     * is the time that the monitor has run since the last call of `prune`.
     */
    readonly prune: (
      retention: Retention,
      nowMs: number,
      elapsedMs: number
    ) => Effect.Effect<RetentionWait | undefined, StoreFailed>
  }
>()("@sourcewire/monitor/Store") {}

/**
 * Functions of a store that do nothing. The stores of locations and the store without history use these functions, because they store no
 * targets, configuration or lists, and remove no old history.
 */
export const withoutTargets = {
  enlist: () => Effect.void,
  publish: () => Effect.succeed(0),
  published: () => Effect.succeed(undefined),
  lists: () => Effect.succeed([]),
  saveList: () => Effect.void,
  beginReading: () => Effect.void,
  unfinishedReading: () => Effect.succeed(undefined),
  dropLists: () => Effect.void,
  prune: () => Effect.succeed(undefined)
} satisfies Partial<typeof Store.Service>

/** A store for a monitor without history. It stores targets, mutes and findings in memory, and nothing else. */
export const layerNone: Layer.Layer<Store> = Layer.sync(Store, () => {
  const ids = new Map<string, number>()
  const mutes = new Map<number, Mute>()
  const findings = new Map<string, StoredFinding>()
  let count = 0
  const enter = (targets: ReadonlyArray<NewTarget>): void =>
    targets.forEach(({ address }) => ids.set(address, ids.get(address) ?? ++count))
  return {
    ...withoutTargets,
    claim: () => Effect.succeed([]),
    enlist: (targets) => Effect.sync(() => enter(targets)),
    saveList: (_list, coming, leaving) =>
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
    findings: (query) =>
      Effect.sync(() => [...findings.values()].filter(({ target }) => query === undefined || target === query.target)),
    judge: (judgements, atMs, endAfterMs) =>
      Effect.sync(() => {
        const { rows } = compareFindings([...findings.values()], judgements, atMs, endAfterMs)
        for (const row of rows) {
          const key = `${row.target} ${row.kind}`
          if (row.to === undefined) findings.set(key, row)
          else findings.delete(key)
        }
        return []
      }),
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
