/**
 * Async iterables from streams, for programs that don't use Effect. Loaded by the verbs that need it: a client that only asks does not.
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

/** Reads a stream. Leaving the loop frees everything, and so does the signal, with whose reason the reading then rejects. */
export async function* iterate<A, E>(stream: Stream.Stream<A, E>, options?: Abortable): AsyncGenerator<A, void> {
  const signal = readSignal(options)
  signal?.throwIfAborted()
  yield* Stream.toAsyncIterable(signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal)))
}
