/**
 * What waits to be written: it goes to the store once a second, in one transaction, and while the store cannot be used it waits, in
 * bounded memory.
 *
 * @module
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Retention } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import type { Batch, Change, Store, StoreTaken } from "../store/Store.ts"
import type { MonitorEvent } from "./Monitor.ts"
import type { Watched } from "./Watched.ts"

/** So many changes, and so many hours of samples, wait at most; then the oldest are lost. */
const MOST_WAITING = 100_000

type Hour = Batch["hours"][number]

/** Between the monitor and its store. */
export class Keeper {
  /** Changes and hours that were lost, since the store could not be used for too long. */
  lost = 0
  /** Transactions that worked, and how long the last one took. */
  writes = 0
  lastWriteMs = 0
  /** Why the store cannot be used; `undefined` while it can. */
  trouble: string | undefined = undefined
  /** Fails when another monitor has taken the store over: then there is nothing left to do here. */
  readonly taken = Deferred.makeUnsafe<never, StoreTaken>()
  private readonly store: typeof Store.Service
  private readonly onEvent: (event: MonitorEvent) => void
  private touched = new Set<Watched>()
  private changes: Array<Change> = []
  private hours: Array<Hour> = []
  private told = new Map<string, number>()

  constructor(store: typeof Store.Service, onEvent: (event: MonitorEvent) => void) {
    this.store = store
    this.onEvent = onEvent
  }

  /** What is known of a target is no longer what is stored. */
  touch(target: Watched): void {
    this.touched.add(target)
  }

  /** A change is to be stored. */
  add(change: Change): void {
    this.changes.push(change)
  }

  /** An hour of a target is over. */
  finish({ id }: Watched, samples: HourSamples): void {
    this.hours.push({ target: id, samples })
  }

  /** A webhook was told of all changes up to this one. */
  mark(webhook: string, change: number): void {
    this.told.set(webhook, change)
  }

  /** What waits, in changes and hours. */
  get waiting(): number {
    return this.changes.length + this.hours.length
  }

  /** Writes what waits; where that does not work it goes on waiting. */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    const { changes, hours, told, touched } = this
    if (changes.length + hours.length + told.size + touched.size === 0) return Effect.void
    this.changes = []
    this.hours = []
    this.told = new Map()
    this.touched = new Set()
    const known = Array.from(touched, ({ id, known }) => ({ target: id, known }))
    const began = performance.now()
    return Effect.match(this.store.write({ known, changes, hours, told }), {
      onSuccess: () => {
        this.writes++
        this.lastWriteMs = performance.now() - began
        if (this.trouble !== undefined) {
          this.onEvent({ level: "info", event: "store", message: "the store can be written again" })
        }
        this.trouble = undefined
      },
      onFailure: (error) => {
        const { message } = error
        if (error._tag === "StoreTaken") Deferred.doneUnsafe(this.taken, Effect.fail(error))
        if (this.trouble === undefined) {
          this.onEvent({ level: "error", event: "store", message: `the store cannot be written: ${message}` })
        }
        this.trouble = message
        for (const target of touched) this.touched.add(target)
        this.changes = this.bounded([...changes, ...this.changes])
        this.hours = this.bounded([...hours, ...this.hours])
        this.told = new Map([...told, ...this.told])
      }
    })
  }).pipe(Effect.uninterruptible)

  /** Removes what is older than it is to be kept. */
  prune(retention: Retention, nowMs: number): Effect.Effect<void> {
    return this.store
      .prune(retention, nowMs)
      .pipe(
        Effect.catchTag("StoreFailed", ({ message }) =>
          Effect.sync(() =>
            this.onEvent({ level: "warn", event: "retention", message: `old history could not be removed: ${message}` })
          )
        )
      )
  }

  private bounded<A>(waiting: ReadonlyArray<A>): Array<A> {
    const excess = Math.max(0, waiting.length - MOST_WAITING)
    this.lost += excess
    return waiting.slice(excess)
  }
}
