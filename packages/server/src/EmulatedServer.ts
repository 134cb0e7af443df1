/**
 * A responder on a socket: an emulated game server. Knows no runtime; the UDP comes from the `Datagrams` layer of a transport
 * package.
 *
 * It listens on 127.0.0.1 unless told otherwise, and with faults on nothing but a loopback address, since some of them send more
 * than was asked for.
 *
 * @module
 */
import { type DatagramHandle, Datagrams, type Endpoint, type SendFailed } from "@sourcewire/core"
import type { EncodeError } from "@sourcewire/protocol"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as FiberSet from "effect/FiberSet"
import type * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Exit from "effect/Exit"
import type { Faults } from "./Faults.ts"
import { FaultyResponder } from "./FaultyResponder.ts"
import { isLoopback, otherLoopback } from "./internal/loopback.ts"
import type { Profile } from "./Profile.ts"
import { type ProfileName, profiles } from "./profiles/index.ts"
import { type Answering, checkProfile, Responder, type ResponderOptions } from "./Responder.ts"

/** What to emulate, and where. */
export interface ServerOptions {
  /** A ready-made profile by name, or one's own. Default `css`. */
  readonly profile?: ProfileName | Profile
  /** Numeric address to listen on. Default `127.0.0.1`; a name is not looked up. */
  readonly host?: string
  /** UDP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** What goes wrong; only on a loopback address. */
  readonly faults?: Faults
  /** Settings of the responder. `compress` need not be given: it is loaded when the profile compresses. */
  readonly responder?: ResponderOptions
}

/** What has come and gone since the server started. */
export interface ServerCounters {
  /** Datagrams that arrived, whatever was in them. */
  readonly requests: number
  /** Datagrams handed over to be sent. */
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Requests that got no answer. */
  readonly unanswered: number
  /** Delayed datagrams given up since too many were under way. */
  readonly dropped: number
  /** What the socket reported as gone wrong. */
  readonly socketFaults: number
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

/** A server that cannot be as asked for. */
export class InvalidServer extends Data.TaggedError("InvalidServer")<{
  /** A sentence for people. */
  readonly message: string
}> {}

/** Delayed datagrams under way at a time. At 1400 bytes each they hold under 6 MB. */
const MAX_DELAYED = 4096

/** Runs an emulated server until its scope closes. */
export const make = Effect.fnUntraced(function* (options: ServerOptions = {}) {
  const { host = "127.0.0.1", port = 0, faults } = options
  if (faults !== undefined && !isLoopback(host)) {
    return yield* new InvalidServer({
      message: `A server with faults may listen on a loopback address only, not on ${host}.`
    })
  }
  const datagrams = yield* Datagrams
  const clock = yield* Clock.Clock
  const family = host.includes(":") ? 6 : 4
  const counters = { requests: 0, replies: 0, bytesIn: 0, bytesOut: 0, unanswered: 0, dropped: 0, socketFaults: 0 }
  const onFault = (): void => void counters.socketFaults++
  let answer: Answer = () => 0
  const onDatagram = (bytes: Uint8Array, address: string, port: number): void => {
    counters.requests++
    counters.bytesIn += bytes.length
    if (answer(bytes, address, port) === 0) counters.unanswered++
  }
  const open = (bind: Endpoint, handler: typeof onDatagram) =>
    datagrams.open({ family, bind, keepsProcess: true }, { onDatagram: handler, onFault })

  const socket = yield* open({ address: host, port }, onDatagram)
  const profile = yield* Effect.fromResult(resolveProfile(options.profile ?? "css", socket.local.port))
  const responder = yield* withCompressor(profile, options.responder)
  const send = (handle: DatagramHandle, bytes: Uint8Array, address: string, port: number): void => {
    counters.replies++
    counters.bytesOut += bytes.length
    handle.send(bytes, address, port)
  }

  if (faults === undefined) {
    answer = plainly(new Responder(profile, responder), clock, (bytes, address, port) =>
      send(socket, bytes, address, port)
    )
  } else {
    const forger = faults.spoof === true ? yield* open({ address: otherLoopback(host), port: 0 }, () => {}) : socket
    const faulty = new FaultyResponder(profile, faults, responder)
    const delayed = yield* FiberSet.make<void>()
    const fork = yield* FiberSet.runtime(delayed)()
    let underWay = 0
    answer = (bytes, address, port) => {
      const departures = faulty.depart(bytes, address, port, clock.currentTimeMillisUnsafe())
      for (const { datagram, afterMs, forged } of departures) {
        const depart = (): void => send(forged ? forger : socket, datagram, address, port)
        if (afterMs <= 0) depart()
        else if (underWay >= MAX_DELAYED) counters.dropped++
        else {
          underWay++
          fork(
            Effect.delay(
              Effect.sync(() => (underWay--, depart())),
              afterMs
            )
          )
        }
      }
      return departures.length
    }
  }
  const server: EmulatedServer = { ...socket.local, profile, counters: () => ({ ...counters }) }
  return server
})

/** Sends what there is to send and says how many datagrams that were. */
type Answer = (bytes: Uint8Array, address: string, port: number) => number

const plainly =
  (
    responder: Answering,
    clock: Clock.Clock,
    send: (bytes: Uint8Array, address: string, port: number) => void
  ): Answer =>
  (bytes, address, port) => {
    const replies = responder.respond(bytes, address, port, clock.currentTimeMillisUnsafe())
    for (const reply of replies) send(reply, address, port)
    return replies.length
  }

const resolveProfile = (profile: ProfileName | Profile, port: number): Result.Result<Profile, EncodeError> =>
  checkProfile(typeof profile === "string" ? profiles[profile]({ port }) : profile)

/** The compressor is loaded only where a profile compresses: everybody else goes without its code. */
const withCompressor = (profile: Profile, options: ResponderOptions = {}): Effect.Effect<ResponderOptions> =>
  profile.oversize.bzip2 === true && options.compress === undefined
    ? Effect.map(
        Effect.promise(() => import("./Bzip2.ts")),
        ({ compress }) => ({ ...options, compress })
      )
    : Effect.succeed(options)

/** A running server for people who don't use Effect. */
export interface RunningServer extends EmulatedServer, AsyncDisposable {
  /** Closes the socket; what is delayed does not leave any more. */
  readonly close: () => Promise<void>
}

/**
 * Starts an emulated server over the UDP of a transport. Rejects with `InvalidServer`, `EncodeError` (a profile that has no bytes)
 * or `SendFailed` (address in use).
 *
 * @example
 * import { startServer } from "@sourcewire/server"
 * import { NodeDatagrams } from "@sourcewire/transport-node"
 * await using server = await startServer({ transport: NodeDatagrams.layer, profile: "css" })
 * console.log(server.port)
 */
export const startServer = async (
  options: ServerOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningServer> => {
  const runtime = ManagedRuntime.make(options.transport)
  const scope = Scope.makeUnsafe()
  const close = async (): Promise<void> => {
    await runtime.runPromise(Scope.close(scope, Exit.void))
    await runtime.dispose()
  }
  try {
    const server = await runtime.runPromise(Scope.provide(make(options), scope))
    return { ...server, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Why a server does not start. */
export type ServerError = InvalidServer | EncodeError | SendFailed
