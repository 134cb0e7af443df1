/**
 * Receives the log of CS2, which CS2 sends in HTTP posts (`logaddress_add_http`). The receiver responds with a 2xx status only after it has
 * added all lines of the post to the stream. If the response has another status, the server sends the post again.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Endpoint } from "../engine/Datagrams.ts"
import type { SendFailed } from "../engine/QueryError.ts"
import type { StreamHandle, StreamHandler, Streams } from "../engine/Streams.ts"
import { CONTINUE, type HttpRequest, HttpRequests, formatResponse } from "./HttpRequests.ts"
import { LogPosts, type LogOrigin, readOrigin } from "./LogPosts.ts"

/** Maximum number of connections. A server uses one connection for all posts, or opens a connection for each post. */
const MAX_CONNECTIONS = 256

/** Time limit for receiving a request (`REQUEST_MS`), and for a connection without a request (`IDLE_MS`), in ms. */
const REQUEST_MS = 10_000
const IDLE_MS = 60_000

/** The receiver of the posts: it checks the senders, stores the lines in the stream, and counts events. */
export interface HttpLogSink {
  readonly address: string
  readonly port: number
  /** Returns the name of the counter for a rejected post, or `undefined` if the post is accepted. `path` contains the secret. */
  readonly refused: (remote: Endpoint, path: string, origin: LogOrigin) => "wrongSender" | "wrongSecret" | undefined
  /** Adds a line to the stream. Returns `false` if the stream has no room for the line. */
  readonly offer: (line: Uint8Array, remote: Endpoint, origin: LogOrigin, missedBytes: number) => boolean
  /** Number of further lines for which the stream has room (`room`), and the maximum of this number (`capacity`). */
  readonly room: () => number
  readonly capacity: number
  readonly count: (
    what: "received" | "wrongSender" | "wrongSecret" | "notALog" | "duplicates" | "gaps" | "faults"
  ) => void
  readonly countMissed: (bytes: number) => void
  readonly now: () => number
}

const STATUS = { wrongSender: 403, wrongSecret: 404 } as const

const processPost = (sink: HttpLogSink, posts: LogPosts, request: HttpRequest, remote: Endpoint): number => {
  const { body, method, target } = request
  sink.count("received")
  const origin = readOrigin(request)
  const refused = sink.refused(remote, target, origin)
  if (refused !== undefined) {
    sink.count(refused)
    return STATUS[refused]
  }
  if (method !== "POST") {
    sink.count("notALog")
    return 405
  }
  const { accept, canRepeat, isDuplicate, lines, missedBytes } = posts.read(remote.address, origin, request)
  if (isDuplicate) {
    sink.count("duplicates")
    return 200
  }
  // If the stream has room for only some lines of a post, only these lines are accepted. The other lines are accepted when the server
  // repeats the post. If the headers do not show which lines of a repeated post were accepted before, the stream must have room for the
  // whole post.
  if (!canRepeat && lines.length > sink.room()) return lines.length > sink.capacity ? 413 : 503
  if (missedBytes > 0 && sink.room() > 0) {
    sink.count("gaps")
    sink.countMissed(missedBytes)
  }
  let missed = missedBytes
  let accepted = 0
  for (const { bytes, end } of lines) {
    if (!sink.offer(bytes, remote, origin, missed)) {
      if (accepted > 0) accept(accepted)
      return 503
    }
    missed = 0
    accepted = end
  }
  accept(body.length)
  return 200
}

/** Listens for posts until the scope closes. Returns the local address. */
export const listenForPosts = /* @__PURE__ */ Effect.fnUntraced(function* (
  streams: typeof Streams.Service,
  sink: HttpLogSink
): Effect.fn.Return<Endpoint, SendFailed, Scope.Scope> {
  const posts = new LogPosts()
  /**
   * For each connection: the time at which the receiver closes it. The receiver sets a new time at the first byte of a request and at the
   * end of a request.
   */
  const deadlines = new Map<StreamHandle, number>()

  const accept = (stream: StreamHandle): StreamHandler => {
    const requests = new HttpRequests()
    const answer = (status: number, isLast: boolean): void => {
      stream.write(formatResponse(status, isLast))
      if (isLast) stream.end()
    }
    deadlines.set(stream, sink.now() + IDLE_MS)
    return {
      onData: (bytes) => {
        const wasIncomplete = requests.isIncomplete
        for (const event of requests.push(bytes)) {
          if (event._tag === "Continue") stream.write(CONTINUE)
          else if (event._tag === "Failed") {
            sink.count("received")
            sink.count("notALog")
            answer(event.status, true)
          } else {
            const isLast = /\bclose\b/i.test(event.request.headers.get("connection") ?? "")
            answer(processPost(sink, posts, event.request, stream.remote), isLast)
          }
        }
        // The time limit of a request starts with its first byte, and further bytes do not extend it. Therefore a client cannot keep a
        // connection open by sending single bytes.
        if (!requests.isIncomplete) deadlines.set(stream, sink.now() + IDLE_MS)
        else if (!wasIncomplete) deadlines.set(stream, sink.now() + REQUEST_MS)
      },
      onClose: (fault) => {
        deadlines.delete(stream)
        if (fault !== undefined) sink.count("faults")
      }
    }
  }
  const { local } = yield* streams.listen(
    { bind: { address: sink.address, port: sink.port }, maxConnections: MAX_CONNECTIONS },
    accept
  )
  const sweep = Effect.sync(() => {
    for (const [stream, deadline] of deadlines) {
      if (deadline > sink.now()) continue
      deadlines.delete(stream)
      stream.destroy()
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep("1 second"), sweep)))
  return local
})
