/**
 * Writes results to the store. Each write is a single transaction. While the store is not usable, the results wait in memory, up to a
 * maximum number.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Retention } from "../config/Config.ts"
import { DAY_MS, HOUR_MS, type HourSamples } from "../history/HourSamples.ts"
import type { Batch, Change, WithSlice, Store } from "../store/Store.ts"
import type { Incident } from "./incidents.ts"
import type { MonitorEvent } from "./MonitorEvent.ts"
import type { Answer, Watched } from "./Watched.ts"

/**
 * Maximum number of changes that wait to be written. If more changes wait, the oldest changes are lost. The same limit applies separately
 * to waiting incidents and to waiting hours.
 */
const MOST_WAITING = 100_000

export interface WriterOptions {
  readonly store: typeof Store.Service
  readonly onEvent: (event: MonitorEvent) => void
  /**
   * The writer calls this function when another instance has claimed `slices`. This instance can no longer write the rows of these slices.
   */
  readonly onLost: (slices: ReadonlyArray<number>) => void
  /**
   * Whether other instances share the store. If true, the writer also writes to the store when it has no results, because each write shows
   * whether another instance has claimed a slice.
   */
  readonly isShared?: boolean
}

/** Writes the states, changes, incidents and hours of targets to a store. */
export class StoreWriter {
  /** Number of changes, incidents and hours that were lost because the store was not usable for too long. */
  lost = 0
  /** Number of successful transactions. */
  writes = 0
  /** Duration of the last successful transaction, in milliseconds. */
  lastWriteMs = 0
  /** When the last successful transaction ended, in milliseconds since 1970. */
  wroteAt: number | undefined
  /** Why the store is not usable; `undefined` if the store is usable. */
  error: string | undefined
  readonly isShared: boolean

  private readonly store: typeof Store.Service
  private readonly onEvent: WriterOptions["onEvent"]
  private readonly onLost: WriterOptions["onLost"]
  /** Ensures that only one operation at a time uses the store. */
  private readonly turn = Semaphore.makeUnsafe(1)
  private touched = new Set<Watched>()
  /** The targets that the current transaction writes. */
  private leaving: ReadonlySet<Watched> = new Set()
  private changes: Array<WithSlice<Change>> = []
  private hours: Array<Batch["hours"][number]> = []
  private incidents: Array<Batch["incidents"][number]> = []
  private positions: Batch["positions"] = new Map()
  /** Writes all waiting results. Results that cannot be written remain in memory. */
  readonly flush: Effect.Effect<void>

  constructor({ isShared = false, onEvent, onLost, store }: WriterOptions) {
    this.isShared = isShared
    this.store = store
    this.onEvent = onEvent
    this.onLost = onLost
    this.flush = this.turn.withPermits(1)(Effect.uninterruptible(Effect.suspend(() => this.write())))
  }

  /** Call this method after the state of a target has changed, so that the next transaction writes the state. */
  touch(target: Watched): void {
    this.touched.add(target)
  }

  /** Yields the targets whose latest state is not stored yet. */
  *unstored(): Generator<Watched> {
    yield* this.leaving
    yield* this.touched
  }

  addChange({ slice }: Watched, change: Change): void {
    this.changes.push({ slice, ...change })
  }

  /** Adds an incident that began or ended. */
  addIncident({ id, slice }: Watched, incident: Incident): void {
    this.incidents.push({ slice, target: id, ...incident })
  }

  /** Adds the samples of a complete hour. */
  addHour({ id, slice }: Watched, samples: HourSamples): void {
    this.hours.push({ slice, target: id, samples })
  }

  /** Records that a webhook has received the alerts for all changes up to the change with the number `change`. */
  setPosition(webhook: string, change: number): void {
    this.positions = new Map(this.positions).set(webhook, change)
  }

  /** Discards the waiting results of the given slices, because the store contains newer results of another instance. */
  forget(slices: ReadonlySet<number>): void {
    const isKept = ({ slice }: { readonly slice: number }): boolean => !slices.has(slice)
    this.touched = new Set([...this.touched].filter(isKept))
    this.changes = this.changes.filter(isKept)
    this.hours = this.hours.filter(isKept)
    this.incidents = this.incidents.filter(isKept)
  }

  /** Waits for the end of the current write, and then runs `work`. The next write waits for the end of `work`. */
  readonly between = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => this.turn.withPermits(1)(work)

  /** The number of waiting changes, hours and incidents. */
  get waiting(): number {
    return this.changes.length + this.hours.length + this.incidents.length
  }

  /** Removes the history that is older than `retention` allows. `elapsedMs` is the time that the monitor has run since the last call. */
  prune(retention: Retention, nowMs: number, elapsedMs: number): Effect.Effect<void> {
    return Effect.match(this.store.prune(retention, nowMs, elapsedMs), {
      onFailure: ({ message }) =>
        this.onEvent({ level: "warn", event: "retention", message: `old history could not be removed: ${message}` }),
      onSuccess: (wait) => {
        if (wait === undefined) return
        const [ahead, hours] = [Math.round(wait.aheadMs / DAY_MS), Math.ceil(wait.waitMs / HOUR_MS)]
        const message = `No history is removed: the clock is ${ahead} days ahead of the last known time. If the clock is right, the monitor removes history again after it has run for ${hours} more hours.`
        this.onEvent({ level: "warn", event: "retention", message })
      }
    })
  }

  private bounded<A>(waiting: ReadonlyArray<A>): Array<A> {
    const excess = Math.max(0, waiting.length - MOST_WAITING)
    this.lost += excess
    return waiting.slice(excess)
  }

  private write(): Effect.Effect<void> {
    const { changes, hours, incidents, positions, touched } = this
    if (!this.isShared && this.waiting + positions.size + touched.size === 0) return Effect.void
    this.changes = []
    this.hours = []
    this.incidents = []
    this.positions = new Map()
    this.touched = new Set()
    this.leaving = touched
    const answers = Array.from(touched, (target) => [target, target.known.last?.answer] as const)
    const known = answers.map(([{ id, known, slice, stored }, answer]) => ({
      target: id,
      slice,
      known,
      hasAnswer: answer !== undefined && answer === stored
    }))
    const batch = { known, changes, hours, incidents, positions }
    const began = performance.now()
    return Effect.match(Effect.zip(this.store.write(batch), Clock.currentTimeMillis), {
      onSuccess: ([lost, now]) => this.onWritten(answers, lost, now, performance.now() - began),
      onFailure: ({ message }) => this.onFailed(batch, touched, message)
    })
  }

  private onWritten(
    answers: ReadonlyArray<readonly [Watched, Answer | undefined]>,
    lost: ReadonlyArray<number>,
    now: number,
    tookMs: number
  ): void {
    this.leaving = new Set()
    for (const [target, answer] of answers) target.stored = answer
    this.writes++
    this.wroteAt = now
    this.lastWriteMs = tookMs
    if (this.error !== undefined) {
      this.onEvent({ level: "info", event: "store", message: "the store can be written again" })
    }
    this.error = undefined
    if (lost.length > 0) this.onLost(lost)
  }

  /**
   * Returns the results of a failed write to the queue, before the results that were queued in the meantime. The next transaction writes
   * the whole queue.
   */
  private onFailed(batch: Batch, touched: ReadonlySet<Watched>, message: string): void {
    if (this.error === undefined) {
      this.onEvent({ level: "error", event: "store", message: `the store cannot be written: ${message}` })
    }
    this.error = message
    this.leaving = new Set()
    for (const target of touched) {
      this.touched.add(target)
      // While the store cannot be written, a user may restore the store from an older backup, which does not contain the last reply of the
      // target. Therefore the next write contains the last reply again.
      target.stored = undefined
    }
    this.changes = this.bounded([...batch.changes, ...this.changes])
    this.hours = this.bounded([...batch.hours, ...this.hours])
    this.incidents = this.bounded([...batch.incidents, ...this.incidents])
    this.positions = new Map([...batch.positions, ...this.positions])
  }
}
