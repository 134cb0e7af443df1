/**
 * Promises from Effects, for programs that don't use Effect. All Promise APIs, the servers' too, keep the rules that stand here:
 *
 * - A promise rejects with the error of the Effect as it is, or with the reason of the signal that gave the call up.
 * - A signal that was aborted before ends a call before it begins, a later one frees at once what the call holds.
 * - `close` frees everything, and closing again waits for the same end. Calls under way, and later ones, reject with `ConnectionClosed`.
 * - What cannot be started leaves nothing open.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { demand, tryCondition, readSignal } from "../edge.ts"
import { ConnectionClosed } from "../engine/QueryError.ts"

/** Lets a call be given up: the promise rejects with the signal's reason, and everything it held is freed at once. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

/** What is closed, or bound with `await using`, when it is no longer needed. */
export interface Closable extends AsyncDisposable {
  /** Frees everything; calls under way, and later ones, reject with `ConnectionClosed`. */
  readonly close: () => Promise<void>
}

/** What {@link start} started. */
export interface Running<A, R> {
  readonly value: A
  /** Runs a call over the same transport. */
  readonly run: <B, E>(effect: Effect.Effect<B, E, R>, options?: Abortable) => Promise<B>
  /** How users end it. */
  readonly closable: Closable
}

/** Refuses what is no transport, before anything is made of it. */
export const demandTransport = (transport: unknown): unknown =>
  demand("transport", "the layer of a transport", (value) => tryCondition(() => Layer.isLayer(value)), transport)

/**
 * An error whose stack shows who awaits the call. An error of a query is made by a timer or a socket, whose frames say nothing to the
 * user. The frames of this package that await the call are left out as well.
 */
export const fromCaller = (error: unknown): unknown => {
  const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: object) => void }
  if (!(error instanceof Error) || !("_tag" in error) || captureStackTrace === undefined) return error
  const made = error.stack
  captureStackTrace(error)
  // The first two frames are this function and the one that runs the call.
  const frames = error.stack?.split(/\n(?=\s*at )/).slice(3) ?? []
  const first = frames.findIndex((frame) => !OWN_FRAME.test(frame))
  const stack = first === -1 ? made : [`${error.name}: ${error.message}`, ...frames.slice(first)].join("\n")
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true })
  return error
}

/** Frames of the runtime, and of this package that await the call. */
const OWN_FRAME =
  /node:internal|<anonymous>$|[\\/]@sourcewire[\\/]|[\\/]packages[\\/](?:core|transport-\w+)[\\/]src[\\/]/

/** Starts what lives until it is closed. The name is the one that `ConnectionClosed` calls it by, as in "The client". */
export const start = async <A, E, E2, R>(
  name: string,
  transport: Layer.Layer<R, E>,
  make: Effect.Effect<A, E2, R | Scope.Scope>,
  options?: Abortable
): Promise<Running<A, R>> => {
  // What was made closes first, then calls end, then the transport goes.
  const scope = Scope.makeUnsafe()
  const transportScope = Scope.forkUnsafe(scope)
  const calls = Scope.forkUnsafe(scope, "parallel")
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)))
  const runWith =
    <S>(context: Context.Context<S>) =>
    async <B, F>(effect: Effect.Effect<B, F, S>, options?: Abortable): Promise<B> => {
      const signal = options === undefined ? undefined : readSignal(options)
      signal?.throwIfAborted()
      const exit =
        closing === undefined
          ? await Effect.runPromiseExitWith(context)(effect, {
              signal,
              onFiberStart: (fiber) => void Fiber.runIn(fiber, calls)
            })
          : Exit.interrupt()
      if (Exit.isSuccess(exit)) return exit.value
      if (!Cause.hasFails(exit.cause)) {
        signal?.throwIfAborted()
        if (closing !== undefined) throw new ConnectionClosed({ message: `${name} is closed.` })
      }
      throw fromCaller(Cause.squash(exit.cause))
    }
  try {
    const run = runWith(await runWith(Context.empty())(Layer.buildWithScope(transport, transportScope), options))
    const value = await run(Scope.provide(make, scope), options)
    return { value, run, closable: { close, [Symbol.asyncDispose]: close } }
  } catch (error) {
    await close()
    demandTransport(transport)
    throw error
  }
}
