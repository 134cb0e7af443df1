/**
 * Posts the log lines of a server over HTTP, as CS2 does with `logaddress_add_http`. The header of each post contains the offsets at which
 * its lines begin and end in the whole log, in bytes. The sender repeats a post until the receiver returns a 2xx status. `logs({ http: true
 * })` of `@sourcewire/core` is a receiver.
 */
import { InvalidOption } from "@sourcewire/core"
import type { LogEntry } from "@sourcewire/core/log"
import { Streams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import { checked, demand, text as isText } from "@sourcewire/inside/checks"
import { httpLogSenderShape } from "../shapes.ts"
import { onOneLine, wallClock } from "./LogSender.ts"

/** Maximum size of a post, in bytes. Lines that do not fit are sent in the next post. */
const MAX_POST_BYTES = 32_768
/**
 * Maximum size of all lines that the receiver has not accepted yet, in bytes. If the lines exceed this size, the sender drops the older
 * half of them. The receiver notices the missing lines, because the next post starts at a later offset.
 */
const MAX_WAITING_BYTES = 1_048_576

const ANSWER_MS = 10_000

/** If the first bytes of a reply, up to this number, contain no HTTP status, the reply is not HTTP. */
const MAX_STATUS_BYTES = 64

/** Options of a sender: the receiver, and the values of the HTTP headers. */
export interface HttpLogSenderOptions {
  /** URL of the receiver: `http://HOST[:PORT][/PATH]`. */
  readonly url: string
  /** Value of the header `X-Server-Unique-Token` (default: none). */
  readonly token?: string
  /** Value of the header `X-Server-Instance-Token`. */
  readonly instance?: string
  /** Value of the header `X-Server-Addr`. */
  readonly address?: string
  readonly steamId?: string
  readonly map?: string
  /** Pause before a failed post is repeated, in ms (default: 1000). */
  readonly retryMs?: number
}

/** A running sender. */
export interface HttpLogSender {
  /** Adds a line to the log, with the current time of this host. */
  readonly send: (text: string) => Effect.Effect<void>
  /** Waits until the receiver has accepted every line. Dropped lines count as accepted. */
  readonly flush: Effect.Effect<void>
  /** Returns two numbers: the posts that were sent, and the posts to which the receiver returned a 2xx status. */
  readonly counters: () => { readonly posts: number; readonly accepted: number }
}

const two = (value: number): string => String(value).padStart(2, "0")

/** Formats a line as CS2 does: the time includes milliseconds, and the line does not begin with `L `. */
const formatLine = (text: string, time: LogEntry.LogTime, millisecond: number): string =>
  `${two(time.month)}/${two(time.day)}/${String(time.year).padStart(4, "0")} - ${two(time.hour)}:${two(time.minute)}:${two(time.second)}.${String(millisecond).padStart(3, "0")} - ${onOneLine(text)}\n`

const parseLogUrl = (
  url: string
): { readonly host: string; readonly port: number; readonly path: string } | undefined => {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname, port, protocol, search } = new URL(url)
  if (protocol !== "http:") return undefined
  const host = hostname.replace(/^\[(.*)\]$/, "$1")
  return { host, port: port === "" ? 80 : Number(port), path: pathname + search }
}

/** Whether a text is a valid URL for a sender. */
export const isLogUrl = (url: string): boolean => typeof url === "string" && parseLogUrl(url) !== undefined

/** Creates a sender, which sends posts until its scope closes. */
export const makeHttpLogSender = Effect.fnUntraced(function* (
  options: HttpLogSenderOptions
): Effect.fn.Return<HttpLogSender, InvalidOption, Scope.Scope | Streams> {
  yield* Effect.fromResult(checked(httpLogSenderShape, options))
  const where = parseLogUrl(options.url)
  if (where === undefined) {
    return yield* Effect.fail(
      new InvalidOption({ message: "url must be an http URL, such as http://192.0.2.1:8080/.", option: "url" })
    )
  }
  const { retryMs = 1000 } = options
  const streams = yield* Streams
  const more = yield* Latch.make(false)
  const empty = yield* Latch.make(true)
  const encoder = new TextEncoder()
  let lines: Array<Uint8Array> = []
  let begin = 0
  let waiting = 0
  const counts = { posts: 0, accepted: 0 }

  const drop = (count: number): void => {
    for (const line of lines.slice(0, count)) {
      begin += line.length
      waiting -= line.length
    }
    lines = lines.slice(count)
  }

  const formatHead = (bytes: number): string => {
    const { address, instance, map, steamId, token } = options
    const headers: ReadonlyArray<readonly [string, string | number | undefined]> = [
      ["Host", `${where.host}:${where.port}`],
      ["Content-Type", "text/plain"],
      ["Content-Length", bytes],
      ["X-Server-Addr", address],
      ["X-Steamid", steamId],
      ["X-Game-Map", map],
      ["X-Server-Unique-Token", token],
      ["X-Server-Instance-Token", instance],
      ["X-LogBytes-BeginOffset", begin],
      ["X-LogBytes-EndOffset", begin + bytes],
      ["Connection", "close"]
    ]
    const given = headers.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${onOneLine(String(value))}\r\n`]
    )
    return `POST ${where.path} HTTP/1.1\r\n${given.join("")}\r\n`
  }

  /** Posts the oldest lines. Returns the number of accepted lines, or 0 if the receiver did not accept the post. */
  const post = Effect.gen(function* () {
    let [count, bytes] = [0, 0]
    while (count < lines.length && (count === 0 || bytes + lines[count]!.length <= MAX_POST_BYTES)) {
      bytes += lines[count++]!.length
    }
    const answer = yield* Deferred.make<boolean>()
    let received = ""
    const handle = yield* streams.connect(
      { host: where.host, port: where.port, timeoutMs: ANSWER_MS },
      {
        onData: (data) => {
          received += String.fromCharCode(...data.subarray(0, MAX_STATUS_BYTES))
          const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(received) ?? []
          if (status !== undefined) Deferred.doneUnsafe(answer, Effect.succeed(status.startsWith("2")))
          else if (received.length >= MAX_STATUS_BYTES) Deferred.doneUnsafe(answer, Effect.succeed(false))
        },
        onClose: () => void Deferred.doneUnsafe(answer, Effect.succeed(false))
      }
    )
    counts.posts++
    handle.write(encoder.encode(formatHead(bytes)))
    for (const line of lines.slice(0, count)) handle.write(line)
    const isAccepted = yield* Effect.timeoutOrElse(Deferred.await(answer), {
      duration: ANSWER_MS,
      orElse: () => Effect.succeed(false)
    })
    if (isAccepted) counts.accepted++
    return isAccepted ? count : 0
  }).pipe(
    Effect.scoped,
    Effect.catch(() => Effect.succeed(0))
  )

  const work = Effect.gen(function* () {
    yield* more.await
    const first = begin
    const count = yield* post
    // While the post was in flight, its lines may have been dropped.
    if (count > 0 && first === begin) drop(count)
    if (lines.length === 0) {
      yield* more.close
      yield* empty.open
    } else if (count === 0) yield* Effect.sleep(retryMs)
  })
  yield* Effect.forkScoped(Effect.forever(work))

  return {
    send: Effect.fnUntraced(function* (text: string) {
      demand(isText, text, "text")
      const now = yield* Clock.currentTimeMillis
      const line = encoder.encode(formatLine(text, wallClock(now), new Date(now).getMilliseconds()))
      lines.push(line)
      waiting += line.length
      if (waiting > MAX_WAITING_BYTES) drop(Math.ceil(lines.length / 2))
      yield* empty.close
      yield* more.open
    }),
    flush: empty.await,
    counters: () => ({ ...counts })
  }
})
