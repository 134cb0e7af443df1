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
export class UnderWay {
  private readonly asked = new Set<Watched>()
  /** Of whom others do not know. */
  private fresh: Array<Watched> = []
  private toldAllAt = Number.NEGATIVE_INFINITY
  private readonly isNews = Latch.makeUnsafe(false)
  private readonly surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
  }

  /** It is being asked. */
  begin(target: Watched): void {
    this.asked.add(target)
    this.fresh.push(target)
    this.isNews.openUnsafe()
  }

  /** It has its result, or is not asked after all. */
  end(target: Watched): void {
    this.asked.delete(target)
  }

  /** Tells others, whenever there is something new, of those whose results are not stored. */
  readonly tell: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => this.isNews.await).pipe(
      Effect.andThen(Effect.sleep(TOGETHER)),
      Effect.andThen(Effect.suspend(() => this.note())),
      Effect.andThen(Effect.suspend(() => Effect.sleep(this.pauseMs)))
    )
  )

  private get pauseMs(): number {
    return Math.max(LEAST_PAUSE_MS, Math.min(ALL_MS, this.surroundings.intervalMs() / PARTS))
  }

  private note(): Effect.Effect<void> {
    this.isNews.closeUnsafe()
    const { isHeld, owner, store } = this.surroundings
    if (isHeld()) return Effect.void
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const isMore = now >= this.toldAllAt && now - this.toldAllAt < ALL_MS
      const targets = isMore ? this.freshOnes() : this.all()
      this.fresh = []
      if (!isMore) this.toldAllAt = now
      else if (targets.length === 0) return Effect.void
      return store.noteUnderWay(owner, targets, now, isMore)
    }).pipe(
      Effect.catchTag("StoreFailed", () => {
        this.toldAllAt = Number.NEGATIVE_INFINITY
        return Effect.sleep(AGAIN)
      })
    )
  }

  private freshOnes(): ReadonlyArray<number> {
    return this.fresh.filter(this.surroundings.isOurs).map(({ id }) => id)
  }

  private all(): ReadonlyArray<number> {
    const { isOurs, keeper } = this.surroundings
    const targets = new Set<number>()
    for (const target of this.asked) if (isOurs(target)) targets.add(target.id)
    for (const target of keeper.unstored()) targets.add(target.id)
    return [...targets]
  }

  /** Waits a little for those that were asked. For those who have not answered by then this turn is over too. */
  readonly finish: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const { isOurs, keeper } = this.surroundings
    for (let look = 0; look < LOOKS && this.asked.size > 0; look++) yield* Effect.sleep(LAST_ANSWERS_MS / LOOKS)
    const now = yield* Clock.currentTimeMillis
    for (const target of this.asked) {
      if (!isOurs(target)) continue
      target.known.askedAt = now
      keeper.touch(target)
    }
  })
}
