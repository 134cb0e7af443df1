/**
 * What stands behind every Promise door of this package: something that runs in a scope, over a transport, until it is closed.
 *
 * @module
 */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"

/** What runs, and how to end it. */
export interface Running<A, R> {
  readonly value: A
  /** Runs a further effect over the same transport. */
  readonly run: <B, E>(effect: Effect.Effect<B, E, R>) => Promise<B>
  /** `close` as users have it; closing again waits for the same end. */
  readonly end: AsyncDisposable & { readonly close: () => Promise<void> }
}

/** Runs `make` over a transport. Rejects with its error, with nothing left open. */
export const start = async <A, E, R>(
  transport: Layer.Layer<R>,
  make: Effect.Effect<A, E, R | Scope.Scope>
): Promise<Running<A, R>> => {
  const runtime = ManagedRuntime.make(transport)
  const scope = Scope.makeUnsafe()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= runtime.runPromise(Scope.close(scope, Exit.void)).then(() => runtime.dispose()))
  try {
    const value = await runtime.runPromise(Scope.provide(make, scope))
    return { value, run: (effect) => runtime.runPromise(effect), end: { close, [Symbol.asyncDispose]: close } }
  } catch (error) {
    await close()
    throw error
  }
}
