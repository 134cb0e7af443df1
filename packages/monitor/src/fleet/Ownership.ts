/**
 * Ownership of slices, and of tasks that only one instance may run. Without a fleet, the only instance owns all slices and tasks. In a
 * fleet, an engine assigns slices and tasks to instances (`Fleet.ts`).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ALL_SLICES } from "../store/slices.ts"
import type { StoreFailed } from "../store/Store.ts"

/** The part of a monitor that queries the targets of assigned slices. */
export interface Holder {
  /** The engine runs this effect when this instance becomes the owner of the slices. */
  readonly take: (slices: ReadonlyArray<number>) => Effect.Effect<void, StoreFailed>
  /** The engine runs this effect before it releases a slice. The next owner of the slice waits for the end of this effect. */
  readonly release: (slice: number) => Effect.Effect<void>
  /** Whether this instance queries the targets of a slice. */
  readonly has: (slice: number) => boolean
}

/** Assigns slices and tasks to this instance. By default, this instance owns all slices, and runs all tasks. */
export const Ownership = Context.Reference<{
  /** The name of this instance, as the owner of slices. */
  readonly owner: string
  /** Whether other instances may also own slices. */
  readonly isShared: boolean
  /** Assigns slices to `holder` until the scope closes. */
  readonly assignTo: (holder: Holder) => Effect.Effect<void, StoreFailed, Scope.Scope>
  /** The number of slices that this instance has locked, but whose targets it has not queried for a few seconds (normally 0). */
  readonly unqueried: () => number
  /** Runs a task until the scope closes. In a fleet, only one instance at a time runs the task. */
  readonly only: <R>(name: string, run: Effect.Effect<void, never, R>) => Effect.Effect<void, never, R | Scope.Scope>
}>("@sourcewire/monitor/Ownership", {
  defaultValue: () => ({
    owner: crypto.randomUUID(),
    isShared: false,
    assignTo: ({ take }) => take(ALL_SLICES),
    unqueried: () => 0,
    only: (_name, run) => Effect.forkScoped(run)
  })
})
