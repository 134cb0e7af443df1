/**
 * A responder on a socket: an emulated game server. Knows no runtime; the UDP comes from the `Datagrams` layer of a transport
 * package.
 *
 * It listens on 127.0.0.1 unless told otherwise, and on nothing but a loopback address with faults, some of which send more than was
 * asked for, or with a profile that trusts strangers, unless `allowAmplification` says so.
 */
import type { Datagrams, Endpoint } from "@sourcewire/core/transport"
import { type Closable, startRunning, type Passage, currentTiming } from "@sourcewire/core/machines"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Faults } from "./Faults.ts"
import { FaultyResponder } from "./FaultyResponder.ts"
import {
  type Intercept,
  type RateLimitOptions,
  type ResponderOptions,
  type SocketCounters,
  checked,
  compress,
  isLoopback,
  openAnswering,
  transportShape
} from "@sourcewire/server/machines"
import { checkProfile, InvalidServer, type Profile, RateLimiter, Responder } from "@sourcewire/server"
import { serverShape } from "./shapes.ts"
import { type ProfileName, profiles } from "./profiles/index.ts"

/** What to emulate, and where. */
export interface ServerOptions {
  /** A ready-made profile by name, one's own, or a function that makes one for the port that the system chose. Default `css`. */
  readonly profile?: ProfileName | Profile | ((port: number) => Profile)
  /** Numeric address to listen on. Default `127.0.0.1`; a name is not looked up. */
  readonly host?: string
  /** UDP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** What goes wrong; only on a loopback address. */
  readonly faults?: Faults
  /** What sees every datagram first, as RCON over UDP or the handshake do. */
  readonly intercept?: Intercept
  /** How much one address may get beyond what it sent. Default: 100 answers a second; on a loopback address unlimited. */
  readonly limit?: RateLimitOptions
  /**
   * Lets a profile that {@link Profile.trusts} strangers listen where others can reach it. **Whoever forges a sender's address then has
   * this server send many times what it was sent to a victim**, within `limit`. Default false.
   */
  readonly allowAmplification?: boolean
  /** Settings of the responder. `compress` need not be given. */
  readonly responder?: ResponderOptions
  /** Told of every datagram and what came of it, for logs and views; by default nobody is. */
  readonly onServed?: (served: Served) => void
}

/** A datagram that arrived, and what came of it. */
export interface Served {
  /** Only valid during the call. */
  readonly request: Uint8Array
  readonly address: string
  readonly port: number
  /** Whether it gets an answer, now or later from an intercept. */
  readonly answered: boolean
  /** What leaves because of it, in the order of being handed over; what an intercept sends later is not in it. */
  readonly passages: ReadonlyArray<Passage>
  /** The faults that struck; delays stand in the passages. */
  readonly struck: ReadonlySet<keyof Faults>
}

/** What has come and gone since the server started. */
export interface ServerCounters extends SocketCounters {
  /** Delayed datagrams given up since too many were under way. */
  readonly dropped: number
}

/** A running server. */
export interface EmulatedServer {
  /** Where it listens, in numbers. */
  readonly address: string
  readonly port: number
  readonly profile: Profile
  /** A snapshot. */
  readonly counters: () => ServerCounters
}

/** Delayed datagrams under way at a time. At 1400 bytes each they hold under 6 MB. */
const MAX_DELAYED = 4096

/** Enough for any monitor behind one address, too little to flood it with. */
const DEFAULT_LIMIT: RateLimitOptions = { perSecond: 100 }

/** A second address of this host, for forged replies. IPv6 has only one loopback address: there it is another port of it. */
const otherLoopback = (address: string): Endpoint => ({
  address: address.includes(":") ? address : address === "127.0.0.2" ? "127.0.0.3" : "127.0.0.2",
  port: 0
})

const NO_FAULTS: Served["struck"] = new Set()

const passageOf = (bytes: Uint8Array): Passage => ({ bytes, afterMs: 0, forged: false })

/** Faults and old games make a server send more than it was asked for: whom that may reach. */
const harmless = (
  { allowAmplification = false, faults, host = "127.0.0.1" }: ServerOptions,
  profile: Profile
): Result.Result<Profile, InvalidServer> => {
  if (isLoopback(host)) return Result.succeed(profile)
  if (faults !== undefined) {
    const message = `A server with faults may listen on a loopback address only, not on ${host}.`
    return Result.fail(new InvalidServer({ message, option: "faults" }))
  }
  const { name, trusts = [] } = profile
  if (trusts.length === 0 || allowAmplification) return Result.succeed(profile)
  const message = `The profile ${name} answers anyone's ${trusts.join(", ")} with more bytes than it got, to a victim whose address is forged. So it may listen on a loopback address only, not on ${host}, unless allowAmplification is true.`
  return Result.fail(new InvalidServer({ message, option: "allowAmplification" }))
}

const profileOf = ({ profile = "css" }: ServerOptions, port: number): Result.Result<Profile, InvalidServer> =>
  typeof profile === "string"
    ? Result.succeed(profiles[profile]({ port }))
    : Result.try({
        try: () => (typeof profile === "function" ? profile(port) : profile),
        catch: () => new InvalidServer({ message: "The function given as profile throws.", option: "profile" })
      })

/** Runs an emulated server until its scope closes. */
export const makeServer = Effect.fnUntraced(function* (given: ServerOptions = {}) {
  const options = yield* Effect.fromResult(checked(serverShape, given))
  const { host = "127.0.0.1", port = 0, faults, intercept, onServed } = options
  const timing = yield* currentTiming
  const safe = (port: number) =>
    Result.flatMap(Result.flatMap(profileOf(options, port), checkProfile), (profile) => harmless(options, profile))
  // What may not listen there opens no socket; a profile that is made for its port is made once, when that is known.
  if (typeof options.profile !== "function") yield* Effect.fromResult(safe(port))
  let dropped = 0
  // Nothing is answered until the port is known, which the profile tells.
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
  const faulty = faults === undefined ? undefined : new FaultyResponder(profile, faults, responderOptions)
  const responder = faulty?.responder ?? new Responder(profile, responderOptions)
  /** Cancels what is to leave later. */
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
      faulty?.depart(request, address, port, now) ?? responder.respond(request, address, port, now).map(passageOf)
    for (const { afterMs, bytes, forged } of passages) {
      const { send } = forged ? forger : socket
      if (afterMs <= 0) send(bytes, address, port)
      else later(afterMs, () => send(bytes, address, port))
    }
    return passages
  }
  answer = (request, address, port, send) => {
    const replies: Array<Passage> = []
    const isIntercepted =
      intercept?.(request, address, port, (bytes) => {
        replies.push(passageOf(bytes))
        send(bytes, address, port)
      }) === true
    const passages = isIntercepted ? replies : respond(request, address, port)
    const answered = isIntercepted || passages.length > 0
    const struck = isIntercepted ? NO_FAULTS : (faulty?.struck ?? NO_FAULTS)
    onServed?.({ request, address, port, answered, passages, struck })
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

/** A running server for people who don't use Effect. */
export interface RunningServer extends EmulatedServer, Closable {}

/**
 * Starts an emulated server over the UDP of a transport. Rejects with `InvalidServer`, which names the option, `EncodeError` (a profile that has no bytes)
 * or `SendFailed` (address in use).
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
  const { transport } = Result.getOrThrow(checked(transportShape, options))
  const { closable, value } = await startRunning("The server", transport, makeServer(options))
  return { ...value, ...closable }
}
