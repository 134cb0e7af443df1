/**
 * Runs Effects as promises, for programs that do not use Effect. All Promise APIs, including those of the servers, follow these rules:
 *
 * - A promise rejects with the error of the Effect, unchanged, or with the reason of the abort signal.
 * - If a signal is aborted before the call, the call does not start. If the signal is aborted later, the call ends, and its resources are
 *   released at once.
 * - `close` releases all resources. If `close` is called again, the second call waits for the first call. Queries and other calls in
 *   flight, and later calls, reject with `ConnectionClosed`.
 * - If the start of a client or server fails, all resources that were already opened are closed.
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

/**
 * An option that cancels a call. When the signal is aborted, the promise rejects with the signal's reason, and the resources of the call
 * are released at once.
 */
export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

/** A resource that you must close: call `close`, or declare the resource with `await using`. */
export interface Closable extends AsyncDisposable {
  /** Releases all resources. Calls in flight and later calls reject with `ConnectionClosed`. */
  readonly close: () => Promise<void>
}

/** The result of {@link start}. */
export interface Running<A, R> {
  readonly value: A
  /** Runs a call with the transport that was passed to {@link start}. */
  readonly run: <B, E>(effect: Effect.Effect<B, E, R>, options?: Abortable) => Promise<B>
  readonly closable: Closable
}

/** Throws `InvalidOption` if the argument is not the layer of a transport. */
export const demandTransport = (transport: unknown): unknown =>
  demand("transport", "the layer of a transport", (value) => tryCondition(() => Layer.isLayer(value)), transport)

/**
 * Replaces the stack of an error with the stack of the caller. A query creates its error in the callback of a timer or a socket, and the
 * frames of such a callback do not help the user. The new stack also omits the frames of Sourcewire's packages that await the call.
 */
export const fromCaller = (error: unknown): unknown => {
  const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: object) => void }
  if (!(error instanceof Error) || !("_tag" in error) || captureStackTrace === undefined) return error
  const made = error.stack
  captureStackTrace(error)
  // The first two frames are `fromCaller` and the function that runs the call.
  const frames = error.stack?.split(/\n(?=\s*at )/).slice(3) ?? []
  const first = frames.findIndex((frame) => !OWN_FRAME.test(frame))
  const stack = first === -1 ? made : [`${error.name}: ${error.message}`, ...frames.slice(first)].join("\n")
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true })
  return error
}

/** Frames of the runtime and of Sourcewire's packages. */
const OWN_FRAME =
  /node:internal|<anonymous>$|[\\/]@sourcewire[\\/]|[\\/]packages[\\/](?:core|transport-\w+)[\\/]src[\\/]/

/**
 * Starts a resource, which stays open until `close` is called. The message of `ConnectionClosed` begins with `name`, for example "The
 * client".
 */
export const start = async <A, E, E2, R>(
  name: string,
  transport: Layer.Layer<R, E>,
  make: Effect.Effect<A, E2, R | Scope.Scope>,
  options?: Abortable
): Promise<Running<A, R>> => {
  // On `close`, the resource closes first, then the calls end, then the transport closes.
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
