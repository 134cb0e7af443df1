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

export type Keeper = ReturnType<typeof makeKeeper>

/** Keeps in a store what is learned; `onLost` hears of slices that somebody else has taken. */
export const makeKeeper = (
  store: typeof Store.Service,
  onEvent: (event: MonitorEvent) => void,
  onLost: (slices: ReadonlyArray<number>) => void
) => {
  const turn = Semaphore.makeUnsafe(1)
  let touched = new Set<Watched>()
  /** What is being written. */
  let leaving: ReadonlySet<Watched> = new Set()
  let changes: Array<OfSlice<Change>> = []
  let hours: Array<Hour> = []
  let told = new Map<string, number>()

  const bounded = <A>(waiting: ReadonlyArray<A>): Array<A> => {
    const excess = Math.max(0, waiting.length - MOST_WAITING)
    keeper.lost += excess
    return waiting.slice(excess)
  }

  const write: Effect.Effect<void> = Effect.suspend(() => {
    const batch = { changes, hours, told }
    const written = touched
    if (!keeper.isLively && keeper.waiting + told.size + touched.size === 0) return Effect.void
    changes = []
    hours = []
    told = new Map()
    touched = new Set()
    leaving = written
    const answers = Array.from(written, (target) => [target, target.known.last?.answer] as const)
    const known = answers.map(([{ id, known, slice, stored }, answer]) => ({
      target: id,
      slice,
      known,
      hasAnswer: answer !== undefined && answer === stored
    }))
    const began = performance.now()
    return Effect.match(Effect.zip(store.write({ known, ...batch }), Clock.currentTimeMillis), {
      onSuccess: ([lost, now]) => {
        leaving = new Set()
        for (const [target, answer] of answers) target.stored = answer
        keeper.writes++
        keeper.wroteAt = now
        keeper.lastWriteMs = performance.now() - began
        if (keeper.trouble !== undefined) {
          onEvent({ level: "info", event: "store", message: "the store can be written again" })
        }
        keeper.trouble = undefined
        if (lost.length > 0) onLost(lost)
      },
      onFailure: ({ message }) => {
        if (keeper.trouble === undefined) {
          onEvent({ level: "error", event: "store", message: `the store cannot be written: ${message}` })
        }
        keeper.trouble = message
        leaving = new Set()
        for (const target of written) {
          touched.add(target)
          // It may come back as it was some time ago.
          target.stored = undefined
        }
        changes = bounded([...batch.changes, ...changes])
        hours = bounded([...batch.hours, ...hours])
        told = new Map([...batch.told, ...told])
      }
    })
  })

  const keeper = {
    /** Changes and hours that were lost, since the store could not be used for too long. */
    lost: 0,
    /** Transactions that worked, and how long the last one took. */
    writes: 0,
    lastWriteMs: 0,
    /** When it ended, in ms since 1970. */
    wroteAt: undefined as number | undefined,
    /** Why the store cannot be used; `undefined` while it can. */
    trouble: undefined as string | undefined,
    /** Whether the store is asked even when there is nothing new, so that we see when somebody has taken a slice. */
    isLively: false,

    /** What is known of a target is no longer what is stored. */
    touch: (target: Watched): void => void touched.add(target),

    /** Whatever is known of these is not stored yet. */
    *unstored(): Generator<Watched> {
      yield* leaving
      yield* touched
    },

    /** A change is to be stored. */
    add: ({ slice }: Watched, change: Change): void => void changes.push({ slice, ...change }),

    /** An hour of a target is over. */
    finish: ({ id, slice }: Watched, samples: HourSamples): void => void hours.push({ slice, target: id, samples }),

    /** What waits of slices is not to be written: somebody else has learned more of them. */
    forget: (slices: ReadonlySet<number>): void => {
      const isOurs = ({ slice }: { readonly slice: number }): boolean => !slices.has(slice)
      touched = new Set([...touched].filter(isOurs))
      changes = changes.filter(isOurs)
      hours = hours.filter(isOurs)
    },

    /** Does something with the store while nothing is being written. */
    between: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => turn.withPermits(1)(work),

    /** A webhook was told of all changes up to this one. */
    mark: (webhook: string, change: number): void => void told.set(webhook, change),

    /** What waits, in changes and hours. */
    get waiting(): number {
      return changes.length + hours.length
    },

    /** Writes what waits; where that does not work it goes on waiting. */
    flush: turn.withPermits(1)(Effect.uninterruptible(write)),

    /** Removes what is older than it is to be kept. */
    prune: (retention: Retention, nowMs: number): Effect.Effect<void> =>
      Effect.catchTag(store.prune(retention, nowMs), "StoreFailed", ({ message }) =>
        Effect.sync(() =>
          onEvent({ level: "warn", event: "retention", message: `old history could not be removed: ${message}` })
        )
      )
  }
  return keeper
}
