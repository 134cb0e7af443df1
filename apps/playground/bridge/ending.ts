/** Every stream of the bridge comes to an end: by itself, when its client goes away, or here. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Ended } from "./Api.ts"

/** How much longer a reader may take for the rest of a stream that has ended: a tenth, a second at least. */
const readingMs = (ms: number): number => Math.max(1000, ms / 10)

/**
 * A stream that ends after `ms` at the latest, and whose last event says why when something else than itself ended it. A reader that
 * takes too long for what is left loses the connection.
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
    isOver ? Stream.make(ended(`That is as long as the bridge does this: ${spelt(ms)}.`)) : Stream.empty
  )
  // Behind the stream and not beside it, where an event of its own could come after the last one.
  return Stream.concat(Stream.interruptWhen(stream, over), last).pipe(
    Stream.catchCause((cause) => Stream.make(ended(`The bridge failed: ${messageOf(Cause.squash(cause))}`)))
  )
})

const ended = (message: string): Ended => ({ _tag: "Ended", message })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const spelt = (ms: number): string => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`)
