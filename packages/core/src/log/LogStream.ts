/**
 * Receives the logs of game servers as a stream of entries. Servers send logs over UDP (`logaddress_add`) or in HTTP posts
 * (`logaddress_add_http`).
 *
 * Any host can send a datagram that looks like a log line. If you listen on a public address, set the accepted senders (`from`), the secret
 * (`sv_logsecret`), or preferably both. Each of these settings alone is a weak protection: sender addresses can be spoofed, and the secret
 * is sent without encryption.
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
import { flag, isText, isWhole, oneOf, optional, checkedOptions, readable, whole } from "../edge.ts"
import { type LogRecord, type ReadLineOptions, openDatagram, readLine } from "./LogEntry.ts"
import { InvalidOption } from "../client/Options.ts"
import type { LogOrigin } from "./LogPosts.ts"
import type { SendFailed, Unresolved } from "../engine/QueryError.ts"

/**
 * Default maximum number of entries in the stream that the program has not read yet. The maximum limits the memory that waiting entries
 * occupy. When the maximum is reached, datagrams are dropped and counted. Posts are rejected, so that the server repeats them later.
 */
export const MAX_WAITING_ENTRIES = 1024

/** Maximum size of a log datagram, in bytes. Engines truncate lines at about 1 kB. */
export const MAX_LOG_DATAGRAM_BYTES = 8192

/** All options of a receiver except the secret, which has different types in {@link LogOptions} and in `PromiseLogOptions`. */
export interface LogSettings extends ReadLineOptions {
  /** Numeric address to listen on (default: `127.0.0.1`). */
  readonly host?: string | undefined
  /** UDP port, or TCP port if `http` is `true` (default: 0, so that the system chooses a port). */
  readonly port?: number | undefined
  /**
   * Whether to receive the HTTP posts of CS2 (`logaddress_add_http`) instead of datagrams (default: `false`). If `true`, `secret` is the
   * path of the URL: `http://HOST:PORT/SECRET`.
   */
  readonly http?: boolean | undefined
  /** Tokens (`X-Server-Unique-Token`) of the accepted servers (default: all servers, with and without a token). Requires `http`. */
  readonly tokens?: ReadonlyArray<string> | undefined
  /**
   * Accepted senders, as `host` (any port) or `host:port` (default: any sender). For posts, only the host is compared. Host names are
   * resolved once, when the receiver starts.
   */
  readonly from?: ReadonlyArray<string> | undefined
  /** Maximum number of entries that wait to be read (default: 1024). */
  readonly capacity?: number | undefined
}

/** Options of a receiver. */
export interface LogOptions extends LogSettings {
  /** Value of the servers' `sv_logsecret`. Lines without a secret, or with another secret, are dropped. */
  readonly secret?: Redacted.Redacted<string> | undefined
}

/** A log line with its origin. */
export interface LogEntry extends LogRecord {
  readonly sender: Endpoint
  /** Time of arrival on this host: ms since 1970, UTC. */
  readonly receivedAtMs: number
  /** Data about the server from the headers of a post. Absent for lines from datagrams. */
  readonly origin?: LogOrigin
  /**
   * Number of bytes of the server's log that are missing before this line. Absent if no bytes are missing, and for lines from datagrams.
   */
  readonly missedBytes?: number
}

/** Counters of the received datagrams or posts. */
export interface LogCounters {
  readonly received: number
  /** Number of lines that were added to the stream. */
  readonly accepted: number
  /** Number of lines that were dropped because too many entries waited to be read. */
  readonly dropped: number
  /** Datagrams or posts rejected because the sender is not in `from`, or the sender's token is not in `tokens`. */
  readonly wrongSender: number
  /** Datagrams or posts rejected because the secret is missing or wrong. */
  readonly wrongSecret: number
  /** Datagrams without a log line, HTTP requests that are not valid posts, and datagrams, posts or lines that are too large. */
  readonly notALog: number
  /** Repeated posts. The lines of these posts are not added to the stream again. */
  readonly duplicates: number
  /** Number of posts before which bytes of the log are missing (`gaps`), and number of these bytes (`missedBytes`). */
  readonly gaps: number
  readonly missedBytes: number
  /** Errors that the socket or the connections reported. */
  readonly faults: number
}

/** The state of a receiver. */
export interface Listening {
  /** The local address. For datagrams, pass this address to the server's `logaddress_add` (on Xash3D: `logaddress`). */
  readonly local: Endpoint
  /** Returns the current counters. */
  readonly counters: () => LogCounters
}

/** A running receiver. */
export interface LogReceiver extends Listening {
  /** The entries in the order of arrival. If there are several readers, each entry is delivered to only one of them. */
  readonly entries: Stream.Stream<LogEntry>
}

/** The errors with which a receiver can fail to start. */
export type LogError = InvalidAddress | InvalidOption | SendFailed | Unresolved

/**
 * Whether `given` equals the secret. The duration of this function depends only on the length of `given`, so that the duration does not
 * reveal the secret. If the secret is empty, the result is `false`.
 */
const equalsSecret = (given: Uint8Array, secret: Uint8Array): boolean => {
  if (secret.length === 0) return false
  let difference = given.length ^ secret.length
  for (let i = 0; i < given.length; i++) difference |= given[i]! ^ secret[i % secret.length]!
  return difference === 0
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const isNumericAddress = (value: unknown): boolean => isText(value) && canonicalAddress(value) !== undefined

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

const checkedLogOptions = (options: LogOptions) =>
  readable(() => {
    const { capacity, encoding, from, host, http, port, secret, showPasswords, tokens } = checkedOptions(
      OPTIONS,
      options
    )
    optional("capacity", "a whole number above 0", isWhole(1, Number.MAX_SAFE_INTEGER), capacity)
    oneOf("encoding", ENCODINGS, encoding)
    whole("port", 0, 65_535, port)
    optional("host", "a numeric address of this host", isNumericAddress, host)
    optional("from", "an array of addresses", isTexts, from)
    optional("secret", "Redacted, and not empty", isSecret, secret)
    flag("showPasswords", showPasswords)
    flag("http", http)
    optional("tokens", "an array of texts", isTexts, tokens)
    if (tokens !== undefined && http !== true) {
      throw new InvalidOption({
        message: "tokens requires http, because datagrams contain no tokens.",
        option: "tokens"
      })
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

/** Resolves an accepted sender. Port 0 means any port. */
const resolveSender = /* @__PURE__ */ Effect.fnUntraced(function* (text: string, family: 4 | 6) {
  const sender = yield* Effect.fromResult(Address.parse(text, 0))
  const { resolve } = yield* Datagrams
  const { address } = yield* lookUp(resolve, sender, DEFAULT_TIMEOUT_MS, yield* timing, family)
  return { address, port: sender.port } satisfies Endpoint
})

/** Checks the sender and the secret of a datagram, and parses the line. Returns the name of a counter if the datagram is rejected. */
const makeReader =
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

/** Converts a line of a post to a log datagram without a secret, so that the same code parses the lines of posts and datagrams. */
const toDatagram = (line: Uint8Array): Uint8Array => {
  const header = connectionless(String.fromCharCode(MessageType.S2A_LOGSTRING))
  const datagram = new Uint8Array(header.length + line.length + 1)
  datagram.set(header)
  datagram.set(line, header.length)
  return datagram
}

/** Listens until the scope closes. When the scope closes, the stream of entries ends. */
export const make = /* @__PURE__ */ Effect.fnUntraced(function* (
  options: LogOptions = {}
): Effect.fn.Return<LogReceiver, LogError, Datagrams | Scope.Scope> {
  const { address, capacity, from, http, port, reading, secret, tokens } = yield* Effect.fromResult(
    checkedLogOptions(options)
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
  const read = makeReader(senders, secret, reading)
  const handle = yield* datagrams.open(
    { family, bind: { address, port }, keepsProcessAlive: true },
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

/** Receives log lines from servers, see {@link LogReceiver}. A tracing span records the start of the receiver. */
export const logs = (options?: LogOptions): Effect.Effect<LogReceiver, LogError, Datagrams | Scope.Scope> =>
  Effect.withSpan(make(options), "sourcewire.logs")
