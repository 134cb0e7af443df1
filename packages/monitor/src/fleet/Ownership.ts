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
  /** Runs when this instance becomes the owner of slices. */
  readonly take: (slices: ReadonlyArray<number>) => Effect.Effect<void, StoreFailed>
  /** Runs before a slice is released. The next owner waits for the end of this effect. */
  readonly release: (slice: number) => Effect.Effect<void>
  /** Whether the targets of a slice are queried. */
  readonly has: (slice: number) => boolean
}

/** Assigns slices. By default, this instance owns all slices. */
export const Ownership = Context.Reference<{
  /** The name of this instance, as the owner of slices. */
  readonly owner: string
  /** Whether other instances may also own slices. */
  readonly isShared: boolean
  /** Assigns slices to a holder for the lifetime of the scope. */
  readonly assignTo: (holder: Holder) => Effect.Effect<void, StoreFailed, Scope.Scope>
  /** The number of slices that this instance has locked but has not queried for a few seconds. Such slices indicate an error. */
  readonly unqueried: () => number
  /** Runs a task on only one instance of the fleet, for the lifetime of the scope. */
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
