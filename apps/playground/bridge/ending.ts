/** Limits the duration of the bridge's streams. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Ended } from "./Api.ts"

/** Additional time in which a reader must read the rest of a stream that has ended: a tenth of its limit, at least a second. */
const readingMs = (ms: number): number => Math.max(1000, ms / 10)

/**
 * Ends a stream after `ms`. If the stream is ended early, its last event contains the reason. If the reader does not read the rest in time,
 * the connection is closed.
 */
export const ending = Effect.fnUntraced(function* <A, E>(stream: Stream.Stream<A, E>, ms: number) {
  const { socket } = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest.HttpServerRequest)
  yield* Effect.forkScoped(
    Effect.delay(
      Effect.sync(() => socket.destroy()),
      ms + readingMs(ms)
    )
  )
  let isOver = false
  const over = Effect.delay(
    Effect.sync(() => void (isOver = true)),
    ms
  )
  const last = Stream.suspend(() =>
    isOver ? Stream.make(endEvent(`Stopped after ${formatLimit(ms)}, the time limit of the bridge.`)) : Stream.empty
  )
  // The last event is appended to the stream and not merged with it, so that no other event follows it.
  return Stream.concat(Stream.interruptWhen(stream, over), last).pipe(
    Stream.catchCause((cause) => Stream.make(endEvent(`The bridge failed: ${errorMessage(Cause.squash(cause))}`)))
  )
})

const endEvent = (message: string): Ended => ({ _tag: "Ended", message })

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const formatLimit = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`)
