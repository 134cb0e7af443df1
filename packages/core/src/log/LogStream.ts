/**
 * Receives the logs that game servers send with `logaddress_add`, over UDP, or with `logaddress_add_http`, as a stream of entries.
 *
 * Anybody can send a datagram that looks like a log line. Whoever listens on more than loopback names the senders (`from`), the
 * secret (`sv_logsecret`), or better both: sender addresses can be forged, and the secret goes over the network as it is.
 */
import { connectionless, ENCODINGS, MessageType } from "@sourcewire/protocol/wire"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { InvalidAddress } from "../address/Address.ts"
import * as Address from "../address/Address.ts"
import { canonicalAddress } from "../address/ipv6.ts"
import { type Endpoint, Datagrams } from "../engine/Datagrams.ts"
import { lookUp } from "../engine/lookup.ts"
import { Streams } from "../engine/Streams.ts"
import { timing } from "../engine/effectTiming.ts"
import { DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import { flag, isText, isWhole, oneOf, optional, optionsOf, readable, whole } from "../edge.ts"
import { type LogRecord, type ReadLineOptions, openDatagram, readLine } from "./LogEntry.ts"
import { InvalidOption } from "../client/Options.ts"
import type { LogOrigin } from "./LogPosts.ts"
import type { SendFailed, Unresolved } from "../engine/QueryError.ts"

/** Entries that wait to be read, at most. Later ones are dropped and counted: what a server sends must not fill the memory. */
export const MAX_WAITING_ENTRIES = 1024

/** Larger datagrams are no log lines: engines cut lines near 1 kB. */
export const MAX_LOG_DATAGRAM_BYTES = 8192

/** Where the receiver listens, and whom it believes. */
export interface LogSettings extends ReadLineOptions {
  /** Numeric address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** UDP port, or TCP port with `http`; 0, the default, lets the system choose. */
  readonly port?: number | undefined
  /**
   * Receives posts of `logaddress_add_http` in place of datagrams, as CS2 sends them (default: `false`). `secret` is then the path of the
   * URL: `http://HOST:PORT/SECRET`.
   */
  readonly http?: boolean | undefined
  /** With `http`: tokens (`X-Server-Unique-Token`) of the servers whose lines are accepted (default: any). */
  readonly tokens?: ReadonlyArray<string> | undefined
  /** Senders that are listened to, `host` (any port) or `host:port`; names are looked up once. Default anybody. */
  readonly from?: ReadonlyArray<string> | undefined
  /** Entries that may wait; 1024 unless given. */
  readonly capacity?: number | undefined
}

/** What to listen to, and on which socket. */
export interface LogOptions extends LogSettings {
  /** Value of the servers' `sv_logsecret`. Lines without it, or with another, are dropped. */
  readonly secret?: Redacted.Redacted<string> | undefined
}

/** A log line, and how it came. */
export interface LogEntry extends LogRecord {
  readonly sender: Endpoint
  /** When it arrived, by the clock of this computer: ms since 1970, UTC. */
  readonly receivedAtMs: number
  /** What a post of `logaddress_add_http` says about its server. */
  readonly origin?: LogOrigin
  /** Bytes of the server's log in front of this line that never came. Only posts tell. */
  readonly missedBytes?: number
}

/** What became of the datagrams, or posts, that arrived. */
export interface LogCounters {
  readonly received: number
  /** Lines put into the stream. */
  readonly accepted: number
  /** Dropped because too many entries waited to be read. */
  readonly dropped: number
  /** Not from one of `from`. */
  readonly wrongSender: number
  /** Without the secret, or with another. */
  readonly wrongSecret: number
  /** Too large, or no log line at all. */
  readonly notALog: number
  /** Posts that had come before; their lines are not in the stream twice. */
  readonly duplicates: number
  /** Posts with bytes missing in front of them, and these bytes. */
  readonly gaps: number
  readonly missedBytes: number
  /** Reported by the socket. */
  readonly faults: number
}

/** What a receiver says of itself. */
export interface Listening {
  /** Where it listens: what a server has to be given (`logaddress_add`, on Xash3D `logaddress`). */
  readonly local: Endpoint
  /** A snapshot. */
  readonly counters: () => LogCounters
}

/** A receiver that listens. */
export interface LogReceiver extends Listening {
  /** The entries in order of arrival. Several readers share them: each entry goes to one. */
  readonly entries: Stream.Stream<LogEntry>
}

/** Why a receiver does not come to listen. */
export type LogError = InvalidAddress | InvalidOption | SendFailed | Unresolved

/** Whether both hold the same bytes. The time depends on the length of `given` alone. An empty secret equals nothing. */
const equalsSecret = (given: Uint8Array, secret: Uint8Array): boolean => {
  if (secret.length === 0) return false
  let difference = given.length ^ secret.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ secret[i % secret.length]!
  return difference === 0
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const isHere = (value: unknown): boolean => isText(value) && canonicalAddress(value) !== undefined

const OPTIONS = /* @__PURE__ */ Object.keys({
  host: true,
  port: true,
  http: true,
  tokens: true,
  from: true,
  capacity: true,
  secret: true,
  encoding: true,
  showPasswords: true
} satisfies Readonly<Record<keyof LogOptions, true>>)

/** The options, checked, with all defaults filled in. */
const logSettingsOf = (options: LogOptions) =>
  readable(() => {
    const { capacity, encoding, from, host, http, port, secret, showPasswords, tokens } = optionsOf(OPTIONS, options)
    optional("capacity", "a whole number above 0", isWhole(1, Number.MAX_SAFE_INTEGER), capacity)
    oneOf("encoding", ENCODINGS, encoding)
    whole("port", 0, 65_535, port)
    optional("host", "a numeric address of this computer", isHere, host)
    optional("from", "an array of addresses", isTexts, from)
    optional("secret", "Redacted, and not empty", isSecret, secret)
    flag("showPasswords", showPasswords)
    flag("http", http)
    optional("tokens", "an array of texts", isTexts, tokens)
    if (tokens !== undefined && http !== true) {
      throw new InvalidOption({ message: "tokens requires http: datagrams have none.", option: "tokens" })
    }
    return {
      address: canonicalAddress(host ?? "127.0.0.1")!,
      port: port ?? 0,
      http: http ?? false,
      tokens,
      from,
      secret: secret === undefined ? undefined : new TextEncoder().encode(Redacted.value(secret)),
      capacity: capacity ?? MAX_WAITING_ENTRIES,
      reading: { encoding: encoding ?? "auto", showPasswords }
    }
  })

const isSecret = (value: unknown): boolean =>
  Redacted.isRedacted(value) && isText(Redacted.value(value)) && Redacted.value(value) !== ""

/** A sender that is listened to; its port 0 stands for any. */
const resolveSender = /* @__PURE__ */ Effect.fnUntraced(function* (text: string, family: 4 | 6) {
  const sender = yield* Effect.fromResult(Address.parse(text, 0))
  const { resolve } = yield* Datagrams
  const { address } = yield* lookUp(resolve, sender, DEFAULT_TIMEOUT_MS, yield* timing, family)
  return { address, port: sender.port } satisfies Endpoint
})

/** Checks senders and secret, and reads lines; or says as what a datagram is to be counted. */
const readerOf =
  (senders: ReadonlyArray<Endpoint> | undefined, secret: Uint8Array | undefined, reading: ReadLineOptions) =>
  (bytes: Uint8Array, { address, port }: Endpoint): LogRecord | "wrongSender" | "wrongSecret" | "notALog" => {
    const isSender = (sender: Endpoint): boolean =>
      sender.address === address && (sender.port === 0 || sender.port === port)
    if (senders?.some(isSender) === false) return "wrongSender"
    const opened = bytes.length > MAX_LOG_DATAGRAM_BYTES ? undefined : openDatagram(bytes)
    if (opened === undefined) return "notALog"
    if (secret !== undefined && !equalsSecret(opened.secret ?? new Uint8Array(0), secret)) return "wrongSecret"
    return readLine(opened, reading)
  }

/** A line of a post as the datagram that has it over UDP. */
const toDatagram = (line: Uint8Array): Uint8Array => {
  const header = connectionless(String.fromCharCode(MessageType.S2A_LOGSTRING))
  const datagram = new Uint8Array(header.length + line.length + 1)
  datagram.set(header)
  datagram.set(line, header.length)
  return datagram
}

/** Listens for the life of the scope; the stream ends with it. */
export const make = /* @__PURE__ */ Effect.fnUntraced(function* (
  options: LogOptions = {}
): Effect.fn.Return<LogReceiver, LogError, Datagrams | Scope.Scope> {
  const { address, capacity, from, http, port, reading, secret, tokens } = yield* Effect.fromResult(
    logSettingsOf(options)
  )
  const family = address.includes(":") ? 6 : 4
  const senders = from && (yield* Effect.forEach(from, (sender) => resolveSender(sender, family)))

  const clock = yield* Clock.Clock
  const datagrams = yield* Datagrams
  const queue = yield* Queue.dropping<LogEntry, Cause.Done>(capacity)
  yield* Effect.addFinalizer(() => Queue.end(queue))
  const counts = {
    received: 0,
    accepted: 0,
    dropped: 0,
    wrongSender: 0,
    wrongSecret: 0,
    notALog: 0,
    duplicates: 0,
    gaps: 0,
    missedBytes: 0,
    faults: 0
  }
  const counters = () => ({ ...counts })
  if (http) {
    const streams = yield* Effect.serviceOption(Streams)
    if (Option.isNone(streams)) {
      const message = "http requires TCP: provide the `Streams` of a transport too."
      return yield* Effect.fail(new InvalidOption({ message, option: "http" }))
    }
    const { listenForPosts } = yield* Effect.promise(() => import("./HttpLogs.ts"))
    const local = yield* listenForPosts(streams.value, {
      address,
      port,
      capacity,
      room: () => capacity - Queue.sizeUnsafe(queue),
      now: () => clock.currentTimeMillisUnsafe(),
      count: (what) => void counts[what]++,
      countMissed: (bytes) => void (counts.missedBytes += bytes),
      refused: (remote, path, { token }) => {
        if (senders?.some((sender) => sender.address === remote.address) === false) return "wrongSender"
        const [, given = ""] = /^\/([^/?]*)/.exec(path) ?? []
        if (secret !== undefined && !equalsSecret(new TextEncoder().encode(given), secret)) return "wrongSecret"
        return tokens === undefined || (token !== undefined && tokens.includes(token)) ? undefined : "wrongSender"
      },
      offer: (bytes, sender, origin, missedBytes) => {
        if (bytes.length > MAX_LOG_DATAGRAM_BYTES) {
          counts.notALog++
          return true
        }
        const missed = missedBytes === 0 ? {} : { missedBytes }
        const record = readLine({ format: "source", plain: toDatagram(bytes) }, reading)
        const isTaken = Queue.offerUnsafe(queue, {
          ...record,
          sender,
          receivedAtMs: clock.currentTimeMillisUnsafe(),
          origin,
          ...missed
        })
        if (isTaken) counts.accepted++
        return isTaken
      }
    })
    return { local, entries: Stream.fromQueue(queue), counters }
  }
  const read = readerOf(senders, secret, reading)
  const handle = yield* datagrams.open(
    { family, bind: { address, port }, keepsProcess: true },
    {
      onDatagram: (bytes, address, port) => {
        counts.received++
        const sender = { address, port }
        const record = read(bytes, sender)
        if (typeof record === "string") counts[record]++
        else {
          const entry = { ...record, sender, receivedAtMs: clock.currentTimeMillisUnsafe() }
          counts[Queue.offerUnsafe(queue, entry) ? "accepted" : "dropped"]++
        }
      },
      onFault: () => void counts.faults++
    }
  )
  return { local: handle.local, entries: Stream.fromQueue(queue), counters }
})

/** Listens for the log lines that servers send, in a span. */
export const logs = (options?: LogOptions): Effect.Effect<LogReceiver, LogError, Datagrams | Scope.Scope> =>
  Effect.withSpan(make(options), "sourcewire.logs")
