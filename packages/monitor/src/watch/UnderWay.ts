/**
 * Who has been asked and has no result yet. Where others may go on in our place they are told at once, so that they ask nobody again.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Store } from "../store/Store.ts"
import type { Keeper } from "./Keeper.ts"
import type { Watched } from "./Watched.ts"

/** Those whose turn comes in the same moment are told of together. */
const TOGETHER = "2 millis"
/** So often others are told at most: of what is asked in an interval so small a part may be asked twice when a machine dies. */
const PARTS = 400
const LEAST_PAUSE_MS = 20
/** So often they are told of all, and between that of those whose turn has come since. */
const ALL_MS = 250
/** A store that cannot be used is tried again after so long. */
const AGAIN = "1 second"

/** So long, in all, a monitor that ends waits for those that it has asked. */
const LAST_ANSWERS_MS = 1000
const LOOKS = 20

/** What it has to do with. */
interface Surroundings {
  readonly store: typeof Store.Service
  readonly keeper: Keeper
  readonly owner: string
  /** Whether a target is ours to ask. */
  readonly isOurs: (target: Watched) => boolean
  /** While it is so, others are told nothing. */
  readonly isHeld: () => boolean
  /** The shortest one. */
  readonly intervalMs: () => number
}

/** Those that were asked. */
export const makeUnderWay = ({ intervalMs, isHeld, isOurs, keeper, owner, store }: Surroundings) => {
  const asked = new Set<Watched>()
  /** Of whom others do not know. */
  let fresh: Array<Watched> = []
  let toldAllAt = Number.NEGATIVE_INFINITY
  const isNews = Latch.makeUnsafe(false)

  const all = (): ReadonlyArray<number> => {
    const targets = new Set<number>()
    for (const target of asked) if (isOurs(target)) targets.add(target.id)
    for (const target of keeper.unstored()) targets.add(target.id)
    return [...targets]
  }

  const note = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    isNews.closeUnsafe()
    if (isHeld()) return Effect.void
    const isMore = now >= toldAllAt && now - toldAllAt < ALL_MS
    const targets = isMore ? fresh.filter(isOurs).map(({ id }) => id) : all()
    fresh = []
    if (!isMore) toldAllAt = now
    else if (targets.length === 0) return Effect.void
    return store.noteUnderWay(owner, targets, now, isMore)
  }).pipe(
    Effect.catchTag("StoreFailed", () => {
      toldAllAt = Number.NEGATIVE_INFINITY
      return Effect.sleep(AGAIN)
    })
  )

  return {
    /** It is being asked. */
    begin: (target: Watched): void => {
      asked.add(target)
      fresh.push(target)
      isNews.openUnsafe()
    },

    /** It has its result, or is not asked after all. */
    end: (target: Watched): void => void asked.delete(target),

    /** Tells others, whenever there is something new, of those whose results are not stored. */
    tell: Effect.suspend(() => isNews.await).pipe(
      Effect.andThen(Effect.sleep(TOGETHER)),
      Effect.andThen(note),
      Effect.andThen(
        Effect.suspend(() => Effect.sleep(Math.max(LEAST_PAUSE_MS, Math.min(ALL_MS, intervalMs() / PARTS))))
      ),
      Effect.forever
    ),

    /** Waits a little for those that were asked. For those who have not answered by then this turn is over too. */
    finish: Effect.gen(function* () {
      for (let look = 0; look < LOOKS && asked.size > 0; look++) yield* Effect.sleep(LAST_ANSWERS_MS / LOOKS)
      const now = yield* Clock.currentTimeMillis
      for (const target of asked) {
        if (!isOurs(target)) continue
        target.known.askedAt = now
        keeper.touch(target)
      }
    })
  }
}
