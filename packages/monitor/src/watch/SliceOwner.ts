/**
 * Takes slices over from other instances, and hands them over. The state of their targets is read from the store and written to it, so that
 * one instance queries each target and no result is lost.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Store, StoreFailed } from "../store/Store.ts"
import { beginAgain } from "./candidates.ts"
import type { HeldSlices } from "./HeldSlices.ts"
import type { NewsFeed } from "./NewsFeed.ts"
import type { StoreWriter } from "./StoreWriter.ts"
import type { TargetRegistry } from "./TargetRegistry.ts"
import type { Turns } from "./Turns.ts"
import { unknown, type Watched } from "./Watched.ts"

/** Maximum time for which the release of a slice waits for this instance's last write. The next owner waits for the release. */
const LAST_WRITE = "1500 millis"
/** Slices that are released within this time share one write. */
const TOGETHER = "20 millis"

/** Maximum age of other instances' results when all targets are shown. */
const REFRESH_MS = 5000

/** The environment that it needs. */
interface Environment {
  readonly store: typeof Store.Service
  readonly writer: StoreWriter
  readonly targets: TargetRegistry
  readonly turns: Turns
  readonly newsFeed: NewsFeed
  readonly held: HeldSlices
  readonly owner: string
  readonly clock: () => number
  /** If the wait for the last write ends first, the write continues in this scope. */
  readonly scope: Scope.Scope
}

/** The slices of this instance. */
export class SliceOwner {
  private readonly environment: Environment
  /** When the results of other instances were last read. */
  private refreshedAt = Number.NEGATIVE_INFINITY
  private lastWrite: Fiber.Fiber<void> | undefined

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** Whether this instance queries a target. */
  readonly isOurs = (target: Watched): boolean => target.isWatched && this.environment.held.has(target.slice)

  /** Forgets slices that another instance owns. Its results are read when a user requests them. */
  drop(slices: ReadonlySet<number>): void {
    if (slices.size === 0) return
    const { held, newsFeed, targets, writer } = this.environment
    held.drop(slices)
    writer.forget(slices)
    for (const target of targets.inSlices(slices)) {
      // A schedule skips a target whose tick has changed.
      target.tick = -1
      target.known = unknown()
      target.stored = undefined
      if (target.candidates !== undefined) beginAgain(target.candidates)
      newsFeed.forget(target)
    }
    this.refreshedAt = Number.NEGATIVE_INFINITY
  }

  /** Claims slices. Results of other instances replace ours; slices that no other instance has owned continue as they are. */
  readonly take = (slices: ReadonlyArray<number>): Effect.Effect<void, StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      const { held, owner, store, targets, turns, writer } = this.environment
      const foreign = new Set(yield* store.claim(owner, slices))
      const fresh = new Set(slices.filter((slice) => foreign.has(slice) || !held.has(slice)))
      for (const slice of slices) held.take(slice)
      if (fresh.size === 0) return
      const known = yield* Effect.onError(store.known("slices", [...fresh]), () => Effect.sync(() => this.drop(fresh)))
      // Results since then were compared with an outdated state.
      writer.forget(fresh)
      const taken = targets.inSlices(fresh)
      for (const target of taken) {
        target.known = known.get(target.id) ?? unknown()
        target.stored = target.known.last?.answer
      }
      turns.first(taken)
    }).pipe(this.environment.writer.between)

  /** Releases a slice after its state was written, if the store can be written now. */
  readonly leave = (slice: number): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const { held, scope } = this.environment
      if (held.size() === 0) return
      held.leave(slice)
      this.lastWrite ??= yield* Effect.forkIn(this.writeLast(), scope)
      yield* Effect.timeoutOption(Fiber.await(this.lastWrite), LAST_WRITE)
    })

  /** One write for all slices that are released together. */
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

  /** Reads the results of other instances for some targets; for all of them at most every few seconds. */
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
      // Some of them may be ours by now.
      for (const target of others) if (!held.has(target.slice)) target.known = stored.get(target.id) ?? unknown()
    })
}
