/**
 * An emulated game server: a responder on a UDP socket. The server is independent of the runtime, because the `Datagrams` layer of a
 * transport package provides UDP.
 *
 * By default, a server listens on 127.0.0.1. A server with faults listens only on loopback, because some faults add datagrams to the
 * replies. If a profile sends large replies without a challenge ({@link Profile.trusts}), the server listens on a public address only with
 * `allowAmplification`.
 */
import { type Datagrams, type Endpoint, type Closable, startRunning } from "@sourcewire/core/transport"
import { currentTiming } from "@sourcewire/core/engine"
import { type Passage } from "@sourcewire/core/testing"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Faults } from "./Faults.ts"
import { FaultyResponder } from "./FaultyResponder.ts"
import { checked } from "@sourcewire/inside/checks"
import {
  type Intercept,
  type RateLimitOptions,
  type ResponderOptions,
  type SocketCounters,
  compress,
  HandshakeResponder,
  inFront,
  isLoopback,
  openAnswering,
  transportShape
} from "@sourcewire/server/machines"
import { checkProfile, InvalidOption, type Profile, RateLimiter, Responder } from "@sourcewire/server"
import { serverShape } from "./shapes.ts"
import { type ProfileName, profiles } from "./profiles/index.ts"

/** The server to emulate, and its address. */
export interface ServerOptions {
  /** The name of a profile, your own profile, or a function that creates a profile for the port that the system chose (default: `css`). */
  readonly profile?: ProfileName | Profile | ((port: number) => Profile)
  /** Numeric address to listen on (default: `127.0.0.1`). Host names are not accepted. */
  readonly host?: string
  /** UDP port (default: 0, chosen by the system). */
  readonly port?: number
  /** Faults to inject. Servers with faults can listen only on a loopback address. */
  readonly faults?: Faults
  /** Called with every datagram before the server processes it. For example, RCON over UDP uses this option. */
  readonly intercept?: Intercept
  /** Rate limit per client address, for replies that are larger than their requests (default: 100 per second; unlimited on loopback). */
  readonly limit?: RateLimitOptions
  /**
   * Whether a server may listen on a public address although its profile sends large replies without a challenge ({@link Profile.trusts};
   * default: false). **If an attacker sends spoofed requests, the victim gets replies that are many times larger than the requests.** Only
   * `limit` restricts the number of these replies.
   */
  readonly allowAmplification?: boolean
  /** Options of the responder. You do not need to set `compress`, because `makeServer` sets it. */
  readonly responder?: ResponderOptions
  /** Called with every datagram and its result, for logs and views. */
  readonly onServed?: (served: Served) => void
}

/** A datagram that arrived, and its result. */
export interface Served {
  /** The bytes of the datagram, which are valid only during the call of `onServed`. */
  readonly request: Uint8Array
  readonly address: string
  readonly port: number
  /** Whether the datagram gets a reply. If an intercept sends the reply, it may send the reply after the call of `onServed`. */
  readonly answered: boolean
  /** The datagrams sent in reply, in order. The list does not include datagrams that an intercept sends later. */
  readonly passages: ReadonlyArray<Passage>
  /** The injected faults, except delays: `passages` contains the delays. */
  readonly injected: ReadonlySet<keyof Faults>
}

/** Counters since the server started. */
export interface ServerCounters extends SocketCounters {
  /** Delayed datagrams that the server dropped instead of sending them, because too many datagrams were waiting. */
  readonly dropped: number
}

/** A running server. */
export interface EmulatedServer {
  /** Numeric address on which the server listens. */
  readonly address: string
  readonly port: number
  readonly profile: Profile
  /** Returns the current counters. */
  readonly counters: () => ServerCounters
}

/** Maximum number of delayed datagrams. At 1400 bytes each, these datagrams need less than 6 MB. */
const MAX_DELAYED = 4096

/** The default rate limit. One monitor does not reach this limit, but an attacker who wants to flood a victim does. */
const DEFAULT_LIMIT: RateLimitOptions = { perSecond: 100 }

/**
 * The source of spoofed replies: a loopback address that differs from `address`. IPv6 has only one loopback address. Therefore, over IPv6,
 * the source of spoofed replies has the same address and another port.
 */
const otherLoopback = (address: string): Endpoint => ({
  address: address.includes(":") ? address : address === "127.0.0.2" ? "127.0.0.3" : "127.0.0.2",
  port: 0
})

const NO_FAULTS: Served["injected"] = new Set()

const makePassage = (bytes: Uint8Array): Passage => ({ bytes, afterMs: 0, forged: false })

/**
 * Prevents amplification attacks: a server on a public address must have no faults, and its profile must not set {@link Profile.trusts}
 * (unless `allowAmplification` is `true`).
 */
const checkAmplification = (
  { allowAmplification = false, faults, host = "127.0.0.1" }: ServerOptions,
  profile: Profile
): Result.Result<Profile, InvalidOption> => {
  if (isLoopback(host)) return Result.succeed(profile)
  if (faults !== undefined) {
    const message = `A server with faults can only listen on a loopback address, not on ${host}.`
    return Result.fail(new InvalidOption({ message, option: "faults" }))
  }
  const { name, trusts = [] } = profile
  if (trusts.length === 0 || allowAmplification) return Result.succeed(profile)
  const message = `The profile ${name} cannot listen on ${host}: it sends large replies (${trusts.join(", ")}) without a challenge, so attackers can use spoofed requests to flood other hosts with these replies. Use a loopback address, or set allowAmplification to true.`
  return Result.fail(new InvalidOption({ message, option: "allowAmplification" }))
}

const findProfile = ({ profile = "css" }: ServerOptions, port: number): Result.Result<Profile, InvalidOption> =>
  typeof profile === "string"
    ? Result.succeed(profiles[profile]({ port }))
    : Result.try({
        try: () => (typeof profile === "function" ? profile(port) : profile),
        catch: () =>
          new InvalidOption({ message: "The function in the option profile threw an error.", option: "profile" })
      })

/**
 * Replies to clients that join, if the profile supports the handshake. On loopback, or with `allowAmplification`, the server sends the full
 * reply to the first request, although the client's address is not verified yet.
 */
const makeHandshake = (
  profile: Profile,
  { allowAmplification = false, host = "127.0.0.1" }: ServerOptions,
  limit: RateLimiter | undefined
): Intercept | undefined => {
  const { handshake, info } = profile
  if (handshake === undefined) return undefined
  const known = typeof info === "function" ? info() : info
  const { steamId, vac = false, version } = known ?? {}
  return inFront(
    new HandshakeResponder({
      ...(steamId === undefined ? {} : { steamId }),
      ...(version === undefined ? {} : { version }),
      vac,
      ...handshake,
      repliesToUnverified: isLoopback(host) || allowAmplification,
      ...(limit === undefined ? {} : { limit })
    })
  )
}

/** Runs an emulated server until its scope closes. */
export const makeServer = Effect.fnUntraced(function* (given: ServerOptions = {}) {
  const options = yield* Effect.fromResult(checked(serverShape, given))
  const { host = "127.0.0.1", port = 0, faults, intercept, onServed } = options
  const timing = yield* currentTiming
  const safe = (port: number) =>
    Result.flatMap(Result.flatMap(findProfile(options, port), checkProfile), (profile) =>
      checkAmplification(options, profile)
    )
  // Check the profile and the address before a socket is opened. If the profile is a function, it is called only once, after the port is
  // known.
  if (typeof options.profile !== "function") yield* Effect.fromResult(safe(port))
  let dropped = 0
  // Do not reply before the port is known, because the profile can depend on the port.
  let answer = (..._request: Parameters<Parameters<typeof openAnswering>[1]>): boolean => false
  const socket = yield* openAnswering({ address: host, port }, (...request) => answer(...request))
  const profile = yield* Effect.fromResult(safe(socket.handle.local.port))
  const forger = faults?.spoof === true ? yield* openAnswering(otherLoopback(host), () => false) : socket
  const limit = options.limit ?? (isLoopback(host) ? undefined : DEFAULT_LIMIT)
  const responderOptions = {
    compress,
    ...(limit === undefined ? {} : { limit: new RateLimiter(limit) }),
    ...options.responder
  }
  const handshake = makeHandshake(profile, options, responderOptions.limit)
  const faulty = faults === undefined ? undefined : new FaultyResponder(profile, faults, responderOptions)
  const responder = faulty?.responder ?? new Responder(profile, responderOptions)
  /** The functions that cancel the delayed datagrams. */
  const delayed = new Set<() => void>()
  yield* Effect.addFinalizer(() => Effect.sync(() => delayed.forEach((cancel) => cancel())))
  const later = (afterMs: number, depart: () => void): void => {
    if (delayed.size >= MAX_DELAYED) return void dropped++
    const cancel = timing.schedule(afterMs, () => {
      delayed.delete(cancel)
      depart()
    })
    delayed.add(cancel)
  }
  const respond = (request: Uint8Array, address: string, port: number): ReadonlyArray<Passage> => {
    const now = timing.now()
    const passages =
      faulty?.depart(request, address, port, now) ?? responder.respond(request, address, port, now).map(makePassage)
    for (const { afterMs, bytes, forged } of passages) {
      const { send } = forged ? forger : socket
      if (afterMs <= 0) send(bytes, address, port)
      else later(afterMs, () => send(bytes, address, port))
    }
    return passages
  }
  answer = (request, address, port, send) => {
    const replies: Array<Passage> = []
    const reply = (bytes: Uint8Array): void => {
      replies.push(makePassage(bytes))
      send(bytes, address, port)
    }
    const isIntercepted =
      intercept?.(request, address, port, reply) === true || handshake?.(request, address, port, reply) === true
    const passages = isIntercepted ? replies : respond(request, address, port)
    const answered = isIntercepted || passages.length > 0
    const injected = isIntercepted ? NO_FAULTS : (faulty?.injected ?? NO_FAULTS)
    onServed?.({ request, address, port, answered, passages, injected })
    return answered
  }
  const counters = (): ServerCounters => {
    const own = socket.counters()
    if (forger === socket) return { ...own, dropped }
    const { bytesOut, replies, socketFaults } = forger.counters()
    return {
      ...own,
      replies: own.replies + replies,
      bytesOut: own.bytesOut + bytesOut,
      socketFaults: own.socketFaults + socketFaults,
      dropped
    }
  }
  const server: EmulatedServer = { ...socket.handle.local, profile, counters }
  return server
})

/** A running server, for programs without Effect. */
export interface RunningServer extends EmulatedServer, Closable {}

/**
 * Starts an emulated server over the UDP of a transport. Rejects with `InvalidOption` (the error names the option), `EncodeError` (the
 * profile cannot be encoded) or `SendFailed` (the address is in use).
 *
 * @example
 * import { startServer } from "@sourcewire/emulator"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using server = await startServer({ transport: layer, profile: "css" })
 * console.log(server.port)
 */
export const startServer = async (
  options: ServerOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningServer> => {
  const { transport, ...others } = Result.getOrThrow(checked(transportShape, options))
  const { closable, value } = await startRunning("The server", transport, makeServer(others))
  return { ...value, ...closable }
}
