/**
 * Converts streams to async iterables, for programs that do not use Effect. Only methods with many results need this module. The module is
 * loaded when such a method is called for the first time.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readSignal } from "../edge.ts"
import type { Abortable } from "./Running.ts"

const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback<never, unknown>((resume) => {
    const onAbort = (): void => resume(Effect.fail(signal.reason))
    if (signal.aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

/**
 * Reads a stream. If the caller leaves its `for await` loop, or the signal is aborted, all resources are released. After an abort, the loop
 * throws the signal's reason.
 */
export async function* iterate<A, E>(stream: Stream.Stream<A, E>, options?: Abortable): AsyncGenerator<A, void> {
  const signal = readSignal(options)
  signal?.throwIfAborted()
  yield* Stream.toAsyncIterable(signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal)))
}
