/**
 * Claims slices for this instance, and releases slices, so that only one instance queries each target. Before an instance releases a slice,
 * it writes the state of the slice's targets to the store. The next owner reads this state after it has claimed the slice. Therefore no
 * result is lost.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Store, StoreFailed } from "../store/Store.ts"
import { beginAgain } from "./candidates.ts"
import type { HeldSlices } from "./HeldSlices.ts"
import type { UpdateFeed } from "./UpdateFeed.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { TargetRegistry } from "./TargetRegistry.ts"
import type { Schedules } from "./Schedules.ts"
import { unknown, type Watched } from "./Watched.ts"

/**
 * The release of a slice waits at most this time until the slice's state is written. The time is short, because the next owner of the slice
 * waits for the release.
 */
const LAST_WRITE = "1500 millis"
/** If several slices are released within this time, their states are written together. */
const TOGETHER = "20 millis"

/** Minimum interval between two reads of the results of all targets that other instances query. */
const REFRESH_MS = 5000

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly store: typeof Store.Service
  readonly writer: StoreWriter
  readonly targets: TargetRegistry
  readonly schedules: Schedules
  readonly updateFeed: UpdateFeed
  readonly held: HeldSlices
  readonly owner: string
  readonly clock: () => number
  /**
   * The scope in which the state of a released slice is written. If the release stops waiting for the write, the write continues in this
   * scope.
   */
  readonly scope: Scope.Scope
}

/** Claims and releases the slices of this instance. */
export class SliceOwner {
  private readonly environment: Environment
  /** When this instance last read the stored results of all targets that other instances query, in milliseconds. */
  private refreshedAt = Number.NEGATIVE_INFINITY
  private lastWrite: Fiber.Fiber<void> | undefined

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Whether this instance queries a target. */
  readonly isOwn = (target: Watched): boolean => target.isWatched && this.environment.held.has(target.slice)

  /**
   * Stops querying slices, and discards their state in memory. If a user later requests results of these slices, this instance reads the
   * results from the store.
   */
  drop(slices: ReadonlySet<number>): void {
    if (slices.size === 0) return
    const { held, updateFeed, targets, writer } = this.environment
    held.drop(slices)
    writer.forget(slices)
    for (const target of targets.inSlices(slices)) {
      // The tick −1 removes the target from its schedule.
      target.tick = -1
      target.known = unknown()
      target.stored = undefined
      if (target.candidates !== undefined) beginAgain(target.candidates)
      updateFeed.forget(target)
    }
    this.refreshedAt = Number.NEGATIVE_INFINITY
  }

  /**
   * Claims slices. If this instance still queries a slice and no other instance has claimed the slice in the meantime, this instance
   * continues with the results in its memory. Otherwise, it reads the results of the slice from the store.
   */
  readonly take = (slices: ReadonlyArray<number>): Effect.Effect<void, StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      const { held, owner, store, targets, schedules, writer } = this.environment
      const foreign = new Set(yield* store.claim(owner, slices))
      const fresh = new Set(slices.filter((slice) => foreign.has(slice) || !held.has(slice)))
      for (const slice of slices) held.take(slice)
      if (fresh.size === 0) return
      const known = yield* Effect.onError(store.known("slices", [...fresh]), () => Effect.sync(() => this.drop(fresh)))
      // This instance may have results of these slices that are not stored yet. These results are discarded, because they result from
      // comparisons with a state that is now outdated.
      writer.forget(fresh)
      const taken = targets.inSlices(fresh)
      for (const target of taken) {
        target.known = known.get(target.id) ?? unknown()
        target.stored = target.known.last?.answer
      }
      schedules.first(taken)
    }).pipe(this.environment.writer.between)

  /** Releases a slice. The effect waits until the write of the slice's state has succeeded or failed, but at most {@link LAST_WRITE}. */
  readonly release = (slice: number): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const { held, scope } = this.environment
      if (held.size() === 0) return
      held.release(slice)
      this.lastWrite ??= yield* Effect.forkIn(this.writeLast(), scope)
      yield* Effect.timeoutOption(Fiber.await(this.lastWrite), LAST_WRITE)
    })

  /** Waits for further releases within {@link TOGETHER}, and then writes the states of all released slices. */
  private writeLast(): Effect.Effect<void> {
    return Effect.sleep(TOGETHER).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          this.lastWrite = undefined
          return this.environment.writer.flush
        })
      )
    )
  }

  /**
   * Reads the results that other instances have stored for the given targets. If no targets are given, reads the results of all targets of
   * other instances, at most once per {@link REFRESH_MS}.
   */
  readonly refresh = (some?: ReadonlyArray<Watched>): Effect.Effect<void, StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      const { clock, held, store, targets } = this.environment
      if (some === undefined) {
        if (clock() - this.refreshedAt < REFRESH_MS) return
        this.refreshedAt = clock()
      }
      const others = (some ?? [...targets.byId.values()]).filter((target) => !held.has(target.slice))
      if (others.length === 0) return
      const numbers = some === undefined ? new Set(others.map(({ slice }) => slice)) : others.map(({ id }) => id)
      const stored = yield* store.known(some === undefined ? "slices" : "targets", [...numbers])
      // While the results were read, this instance may have claimed some of these slices. For a claimed slice, the results in memory are
      // newer than the results that were read, and are not replaced.
      for (const target of others) if (!held.has(target.slice)) target.known = stored.get(target.id) ?? unknown()
    })
}
