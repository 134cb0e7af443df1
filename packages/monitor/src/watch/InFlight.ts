/**
 * Records the targets that were queried and whose results are not stored yet. In a fleet, this record is written to the store, usually
 * within a quarter of a second after a query begins. If another instance takes over these targets, the new instance reads the record.
 * Therefore the new instance does not repeat the queries, but waits for the next check of each target.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Store } from "../store/Store.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { Watched } from "./Watched.ts"

/** Targets whose checks begin within this time are recorded together. */
const TOGETHER = "2 millis"
/**
 * The time between two records is the shortest interval of all targets divided by this number, but at least {@link LEAST_PAUSE_MS} and at
 * most {@link ALL_MS}. If an instance crashes, at most about one in {@link PARTS} of its targets is queried twice in an interval. If the
 * interval is shorter than 8 seconds, more targets may be queried twice.
 */
const PARTS = 400
const LEAST_PAUSE_MS = 20
/** Interval at which the complete record is written. Between these writes, targets are added to the record, but no targets are removed. */
const ALL_MS = 250
/** Pause after a failed attempt to write a record. */
const AGAIN = "1 second"

/** Time for which a monitor waits for the last replies when it stops. */
const LAST_REPLIES_MS = 1000
const POLLS = 20

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly store: typeof Store.Service
  readonly writer: StoreWriter
  readonly owner: string
  /** Whether this monitor queries a target. */
  readonly isOwn: (target: Watched) => boolean
  /** Whether records must not be written, because the process was suspended and may have lost its slices. */
  readonly isHeld: () => boolean
  /** The shortest interval of all targets, in milliseconds. */
  readonly intervalMs: () => number
}

/** The targets in flight. */
export class InFlight {
  private readonly environment: Environment
  private readonly queried = new Set<Watched>()
  /** Targets that were queried after the last record was written. */
  private fresh: Array<Watched> = []
  private notedAllAt = Number.NEGATIVE_INFINITY
  private readonly hasNew = Latch.makeUnsafe(false)

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Call this method when a query begins. */
  begin(target: Watched): void {
    this.queried.add(target)
    this.fresh.push(target)
    this.hasNew.openUnsafe()
  }

  /** Call this method when a query has ended with a result, or could not be sent. */
  end(target: Watched): void {
    this.queried.delete(target)
  }

  /** Records targets when their checks begin, until the effect is interrupted. */
  readonly noteAll: Effect.Effect<never> = Effect.suspend(() => this.hasNew.await).pipe(
    Effect.andThen(Effect.sleep(TOGETHER)),
    Effect.andThen(Effect.suspend(() => this.note)),
    Effect.andThen(Effect.suspend(() => Effect.sleep(this.pauseMs()))),
    Effect.forever
  )

  /**
   * Waits at most {@link LAST_REPLIES_MS} for the results of the targets in flight. If a target has no result by then, its check ends
   * without a result, and the current time is stored as the time of its last query.
   */
  finish(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { isOwn, writer } = this.environment
      for (let poll = 0; poll < POLLS && this.queried.size > 0; poll++) yield* Effect.sleep(LAST_REPLIES_MS / POLLS)
      const now = yield* Clock.currentTimeMillis
      for (const target of this.queried) {
        if (!isOwn(target)) continue
        target.known.queriedAt = now
        writer.touch(target)
      }
    })
  }

  private pauseMs(): number {
    return Math.max(LEAST_PAUSE_MS, Math.min(ALL_MS, this.environment.intervalMs() / PARTS))
  }

  private all(): ReadonlyArray<number> {
    const { isOwn, writer } = this.environment
    const targets = new Set<number>()
    for (const target of this.queried) if (isOwn(target)) targets.add(target.id)
    for (const target of writer.unstored()) targets.add(target.id)
    return [...targets]
  }

  private readonly note = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const { isHeld, isOwn, owner, store } = this.environment
    this.hasNew.closeUnsafe()
    if (isHeld()) return Effect.void
    const isMore = now >= this.notedAllAt && now - this.notedAllAt < ALL_MS
    const targets = isMore ? this.fresh.filter(isOwn).map(({ id }) => id) : this.all()
    this.fresh = []
    if (!isMore) this.notedAllAt = now
    else if (targets.length === 0) return Effect.void
    return store.noteInFlight(owner, targets, now, isMore)
  }).pipe(
    Effect.catchTag("StoreFailed", () => {
      this.notedAllAt = Number.NEGATIVE_INFINITY
      return Effect.sleep(AGAIN)
    })
  )
}
