/**
 * Sends log lines over UDP, as a game server does to the addresses that were added with `logaddress_add`. `LogStream` of `@sourcewire/core`
 * receives such lines.
 *
 * Receivers do not confirm lines: while a receiver is offline, it misses them.
 *
 * @example
 * import { makeLogSender } from "@sourcewire/server"
 * import { layer } from "@sourcewire/transport-node/effect"
 * import * as Effect from "effect/Effect"
 * const program = Effect.flatMap(makeLogSender(), (logs) => {
 *   logs.add({ address: "127.0.0.1", port: 27_500 }) // false when there are too many
 *   return logs.send("Server cvars start")
 * })
 * await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(layer)))
 */
import { InvalidOption } from "@sourcewire/core"
import type { SendFailed } from "@sourcewire/core"
import { type LogEntry } from "@sourcewire/core/log"
import { concatBytes } from "@sourcewire/inside/bytes"
import { Datagrams } from "@sourcewire/core/transport"
import type { Endpoint } from "@sourcewire/core/transport"
import { EncodeError } from "@sourcewire/protocol"
import type { Encoding } from "@sourcewire/protocol"
import {
  connectionless,
  encodeAs,
  GoldSourceLogLine,
  HEADER_BYTES,
  LogLine,
  MessageType
} from "@sourcewire/protocol/wire"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { checked, demand, text as isText } from "@sourcewire/inside/checks"
import { logFormat, logSenderShape, logTime } from "../shapes.ts"

/** How a line is encoded. */
export interface LogFormat {
  /**
   * Engine whose format is used (default: `source`). GoldSource and Xash3D have no secret, and Xash3D's lines have no `L ` before the date.
   */
  readonly format?: "source" | "goldsource" | "xash3d"
  /** Value of `sv_logsecret`: up to 64 ASCII characters without spaces. The secret is sent in clear text. */
  readonly secret?: Redacted.Redacted<string>
  /** Encoding of the line (default: `auto`, which writes UTF-8). */
  readonly encoding?: Encoding
}

/** Maximum number of characters in a line's text. Longer texts are truncated, because engines also truncate long texts. */
export const MAX_LOG_TEXT_CHARS = 1000

/** Maximum number of receivers. Each receiver needs a datagram per line. */
export const MAX_LOG_TARGETS = 32

const two = (value: number): string => String(value).padStart(2, "0")

/** Replaces line breaks and other control characters by spaces. Otherwise, a player's name could contain a forged line. */
export const onOneLine = (text: string): string =>
  text
    .replace(/[\0-\x1f\x7f]+/g, " ")
    .slice(0, MAX_LOG_TEXT_CHARS)
    .replace(/[\ud800-\udbff]$/, "")

/** Formats a line: `L 06/28/2025 - 08:42:47: text` and a newline. Line breaks and control bytes in the text become spaces. */
export const logLine = (text: string, time: LogEntry.LogTime, format: LogFormat["format"] = "source"): string => {
  demand(isText, text, "text")
  demand(logTime, time, "time")
  return (
    `${format === "xash3d" ? "" : "L "}${two(time.month)}/${two(time.day)}/${String(time.year).padStart(4, "0")} - ` +
    `${two(time.hour)}:${two(time.minute)}:${two(time.second)}: ${onOneLine(text)}\n`
  )
}

/** Encodes a line as a datagram. Fails if the encoding lacks a character of the line. */
export const logDatagram = (
  text: string,
  time: LogEntry.LogTime,
  how: LogFormat = {}
): Result.Result<Uint8Array, EncodeError> => {
  demand(logFormat, how)
  const { encoding = "auto", format = "source", secret } = how
  if (typeof text !== "string") {
    return Result.fail(
      new EncodeError({ message: "The text of a log line must be a text.", messageTag: "LogLine", field: "line" })
    )
  }
  const line = logLine(text, time, format)
  if (format !== "source") return encodeAs(GoldSourceLogLine, { _tag: "GoldSourceLogLine", line }, { encoding })
  return Result.map(encodeAs(LogLine, { _tag: "LogLine", line }, { encoding }), (plain) =>
    secret === undefined ? plain : withSecret(plain, Redacted.value(secret))
  )
}

const withSecret = (plain: Uint8Array, secret: string): Uint8Array => {
  const head = connectionless(`${String.fromCharCode(MessageType.S2A_LOGSTRING2)}${secret}`)
  return concatBytes([head, plain.subarray(HEADER_BYTES + 1)])
}

/** Options of a sender. */
export interface LogSenderOptions extends LogFormat {
  /** The first receivers. Their addresses are numeric, and have the same IP version as `host`. */
  readonly targets?: ReadonlyArray<Endpoint>
  /** Numeric address to send from (default: `127.0.0.1`). */
  readonly host?: string
  /** Port to send from (default: 0, chosen by the system). A game server sends its log from its game port. */
  readonly port?: number
}

/** A sender with an open socket. */
export interface LogSender {
  /** The local address of the socket. Receivers can use this address to reject lines from other senders. */
  readonly local: Endpoint
  readonly targets: () => ReadonlyArray<Endpoint>
  /**
   * Adds a receiver, like `logaddress_add`. Returns `false` if there are already 32 receivers, or if the receiver's IP version differs from
   * the IP version of `host`.
   */
  readonly add: (target: Endpoint) => boolean
  readonly remove: (target: Endpoint) => void
  /** Sends a line with the current time of this host to all receivers. Fails if the encoding lacks a character of the line. */
  readonly send: (text: string) => Effect.Effect<void, EncodeError>
}

/** Converts a time in ms since 1970 to the local date and time. */
export const wallClock = (epochMs: number): LogEntry.LogTime => {
  const date = new Date(epochMs)
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds()
  }
}

const targetKey = ({ address, port }: Endpoint): string => `${address} ${port}`

/** Opens a sender for the life of the scope. */
export const makeLogSender = Effect.fnUntraced(function* (
  options: LogSenderOptions = {}
): Effect.fn.Return<LogSender, InvalidOption | SendFailed, Datagrams | Scope.Scope> {
  yield* Effect.fromResult(checked(logSenderShape, options))
  const { format = "source", host = "127.0.0.1", port = 0, secret, targets: first = [] } = options
  const invalid = (option: string, must: string) =>
    Effect.fail(new InvalidOption({ message: `${option} ${must}.`, option }))
  if (secret !== undefined && format !== "source")
    return yield* invalid("secret", `is only supported with the format source, not with ${format}`)
  const logFormat: LogFormat = {
    format,
    ...(secret && { secret }),
    ...(options.encoding && { encoding: options.encoding })
  }
  const isIpv6 = host.includes(":")
  const datagrams = yield* Datagrams
  const socket = yield* datagrams.open(
    { family: isIpv6 ? 6 : 4, bind: { address: host, port } },
    { onDatagram: () => undefined, onFault: () => undefined }
  )
  const targets = new Map<string, Endpoint>()
  const add = (target: Endpoint): boolean => {
    const fits = targets.size < MAX_LOG_TARGETS && target.address.includes(":") === isIpv6
    if (fits) targets.set(targetKey(target), target)
    return fits
  }
  if (!first.every(add)) {
    return yield* invalid("targets", `must be at most ${MAX_LOG_TARGETS} addresses with the IP version of ${host}`)
  }
  return {
    local: socket.local,
    targets: () => [...targets.values()],
    add,
    remove: (target) => void targets.delete(targetKey(target)),
    send: (text) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(Effect.fromResult(logDatagram(text, wallClock(now), logFormat)), (datagram) => {
          for (const { address, port } of targets.values()) socket.send(datagram, address, port)
        })
      )
  }
})
