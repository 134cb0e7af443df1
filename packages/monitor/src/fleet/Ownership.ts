/**
 * Who owns which slice, and who does what only one may do. One machine owns all and does all; many ask an engine (`Fleet.ts`).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ALL_SLICES } from "../store/slices.ts"
import type { StoreFailed } from "../store/Store.ts"

/** What holds slices. */
export interface Holder {
  /** These are ours now. */
  readonly take: (slices: ReadonlyArray<number>) => Effect.Effect<void, StoreFailed>
  /** This one is ours no longer; when that is done somebody else takes it. */
  readonly leave: (slice: number) => Effect.Effect<void>
  /** Whether its targets are queried. */
  readonly has: (slice: number) => boolean
}

/** Where slices come from; for one machine unless it is given. */
export const Ownership = Context.Reference<{
  /** Who we are. */
  readonly owner: string
  /** Whether others may own what we do not. */
  readonly isShared: boolean
  /** Tells a holder of slices, for the life of the scope. */
  readonly hold: (holder: Holder) => Effect.Effect<void, StoreFailed, Scope.Scope>
  /** Slices whose locks are ours and whose targets have not been queried for some seconds: then something is wrong. */
  readonly unqueried: () => number
  /** Runs what only one of all may run, for the life of the scope. */
  readonly only: <R>(name: string, run: Effect.Effect<void, never, R>) => Effect.Effect<void, never, R | Scope.Scope>
}>("@sourcewire/monitor/Ownership", {
  defaultValue: () => ({
    owner: crypto.randomUUID(),
    isShared: false,
    hold: ({ take }) => take(ALL_SLICES),
    unqueried: () => 0,
    only: (_name, run) => Effect.forkScoped(run)
  })
})
