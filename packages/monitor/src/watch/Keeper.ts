/**
 * What waits to be written: it goes to the store once a second, in one transaction, and while the store cannot be used it waits, in
 * bounded memory.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Retention } from "../config/Config.ts"
import type { HourSamples } from "../history/HourSamples.ts"
import type { Batch, Change, OfSlice, Store } from "../store/Store.ts"
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
  /** When it ended, in ms since 1970. */
  wroteAt: number | undefined = undefined
  /** Why the store cannot be used; `undefined` while it can. */
  trouble: string | undefined = undefined
  /** Whether the store is asked even when there is nothing new, so that we see when somebody has taken a slice. */
  isLively = false
  private readonly store: typeof Store.Service
  private readonly onEvent: (event: MonitorEvent) => void
  private readonly onLost: (slices: ReadonlyArray<number>) => void
  private readonly turn = Semaphore.makeUnsafe(1)
  private touched = new Set<Watched>()
  /** What is being written. */
  private leaving: ReadonlySet<Watched> = new Set()
  private changes: Array<OfSlice<Change>> = []
  private hours: Array<Hour> = []
  private told = new Map<string, number>()

  constructor(
    store: typeof Store.Service,
    onEvent: (event: MonitorEvent) => void,
    onLost: (slices: ReadonlyArray<number>) => void
  ) {
    this.store = store
    this.onEvent = onEvent
    this.onLost = onLost
  }

  /** What is known of a target is no longer what is stored. */
  touch(target: Watched): void {
    this.touched.add(target)
  }

  /** Whatever is known of these is not stored yet. */
  *unstored(): Generator<Watched> {
    yield* this.leaving
    yield* this.touched
  }

  /** A change is to be stored. */
  add({ slice }: Watched, change: Change): void {
    this.changes.push({ slice, ...change })
  }

  /** An hour of a target is over. */
  finish({ id, slice }: Watched, samples: HourSamples): void {
    this.hours.push({ slice, target: id, samples })
  }

  /** What waits of slices is not to be written: somebody else has learned more of them. */
  forget(slices: ReadonlySet<number>): void {
    const isOurs = ({ slice }: { readonly slice: number }): boolean => !slices.has(slice)
    this.touched = new Set([...this.touched].filter(isOurs))
    this.changes = this.changes.filter(isOurs)
    this.hours = this.hours.filter(isOurs)
  }

  /** Does something with the store while nothing is being written. */
  readonly between = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => this.turn.withPermits(1)(work)

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
    if (!this.isLively && changes.length + hours.length + told.size + touched.size === 0) return Effect.void
    this.changes = []
    this.hours = []
    this.told = new Map()
    this.touched = new Set()
    this.leaving = touched
    const answers = Array.from(touched, (target) => [target, target.known.last?.answer] as const)
    const known = answers.map(([{ id, known, slice, stored }, answer]) => ({
      target: id,
      slice,
      known,
      hasAnswer: answer !== undefined && answer === stored
    }))
    const began = performance.now()
    return Effect.match(Effect.zip(this.store.write({ known, changes, hours, told }), Clock.currentTimeMillis), {
      onSuccess: ([lost, now]) => {
        this.leaving = new Set()
        for (const [target, answer] of answers) target.stored = answer
        this.writes++
        this.wroteAt = now
        this.lastWriteMs = performance.now() - began
        if (this.trouble !== undefined) {
          this.onEvent({ level: "info", event: "store", message: "the store can be written again" })
        }
        this.trouble = undefined
        if (lost.length > 0) this.onLost(lost)
      },
      onFailure: ({ message }) => {
        if (this.trouble === undefined) {
          this.onEvent({ level: "error", event: "store", message: `the store cannot be written: ${message}` })
        }
        this.trouble = message
        this.leaving = new Set()
        for (const target of touched) {
          this.touched.add(target)
          // It may come back as it was some time ago.
          target.stored = undefined
        }
        this.changes = this.bounded([...changes, ...this.changes])
        this.hours = this.bounded([...hours, ...this.hours])
        this.told = new Map([...told, ...this.told])
      }
    })
  }).pipe(Effect.uninterruptible, this.between)

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
