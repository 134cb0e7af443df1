/**
 * An RCON server to embed: you give a function that carries out commands, it does the rest as Valve's servers do.
 *
 * It listens on loopback unless told otherwise: the protocols send passwords and commands in clear text. Passwords are compared in
 * constant time; six wrong ones within 30 s ban an address for an hour. Connections, requests and replies under way are capped.
 *
 * @example
 * import { emulatedConsole, profiles } from "@sourcewire/emulator"
 * import { makeGoldSourceRcon, makeSourceRcon } from "@sourcewire/server"
 * import { interceptGoldSource } from "@sourcewire/server/machines"
 * import { layer } from "@sourcewire/transport-node/effect"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 * const handler = emulatedConsole(profiles.css())
 * const options = { password: Redacted.make("secret"), port: 0, handler }
 * const program = Effect.gen(function* () {
 *   const tcp = yield* makeSourceRcon(options)
 *   const udp = yield* makeGoldSourceRcon(options)
 *   const { intercept } = yield* interceptGoldSource(options) // for a socket that answers queries too
 *   return [tcp.local, udp.local, intercept.length]
 * })
 * console.log(await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(layer))))
 */
import type { SendFailed } from "@sourcewire/core"
import { type Closable, startRunning } from "@sourcewire/core/machines"
import type { Datagrams, Endpoint, Streams } from "@sourcewire/core/transport"
import type { Encoding } from "@sourcewire/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { openAnswering } from "../answeringSocket.ts"
import { all, checked } from "../edge.ts"
import { promiseRconShape, transportShape, udpShape } from "../shapes.ts"
import type { InvalidServer } from "../InvalidServer.ts"
import { type CommandHandler, runHandler } from "./commandHandler.ts"
import { GoldSourceConsole, type UdpDialect } from "./goldSourceConsole.ts"
import { LoginAttempts, type LoginAttemptsOptions } from "./loginAttempts.ts"
import type { SegmentFault } from "./outbox.ts"
import { passwordOf } from "./password.ts"
import { makeSourceRcon } from "./serveSource.ts"
import type { SourceManners } from "./sourceConnection.ts"
import type { Answering, Intercept } from "../query/Responder.ts"

/** What the servers of all engines need. */
export interface RconServerOptions {
  /** An empty one lets nobody in. */
  readonly password: Redacted.Redacted<string>
  /** Carries out the commands. One at a time per connection, or per asking address. */
  readonly handler: CommandHandler
  /** Numeric address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** Default 27015; 0 lets the system choose. */
  readonly port?: number
  /** When an address is banned, and for how long. */
  readonly attempts?: LoginAttemptsOptions
  /** Text of commands and replies; UTF-8 (`auto`) unless told otherwise. */
  readonly encoding?: Encoding
}

/** What a Source RCON server may be told besides. */
export interface SourceRconServerOptions extends RconServerOptions {
  /** Habits of the server it stands for. */
  readonly manners?: SourceManners
  /** Connections at once; 16 unless told otherwise, further ones are closed as they come. */
  readonly maxConnections?: number
  /** How long a connection may be open without the password, in ms; 10 000 unless told otherwise. */
  readonly loginTimeoutMs?: number
  /** How long a connection may say nothing, in ms; ten minutes unless told otherwise. */
  readonly idleTimeoutMs?: number
  /** Cuts what it sends into other segments, to test clients. */
  readonly segments?: SegmentFault
}

/** A running server; closing its scope stops it. */
export interface RconServer {
  /** Where it listens: with the port that the system chose for port 0. */
  readonly local: Endpoint
  /** Forgives an address its wrong passwords and its ban. */
  readonly unban: (address: string) => void
}

/** What a server of RCON over UDP may be told besides. */
export interface GoldSourceRconServerOptions extends RconServerOptions {
  /** `goldsource`, as HLDS speaks, unless told otherwise; `hltv` as its proxy does, `quake` as Xash3D. */
  readonly dialect?: UdpDialect
  /** Answers the datagrams that are none of RCON's: a `Responder`, to have queries on the same port as game servers do. */
  readonly queries?: Answering
  /** Text per packet. Above 1393 bytes packets leave in fragments, as some of HLDS's do. */
  readonly maxTextBytes?: number
}

/** RCON over UDP on a port that somebody else holds. */
export interface GoldSourceInterceptor extends Pick<RconServer, "unban"> {
  /** As the emulated server's option of this name. */
  readonly intercept: Intercept
}

/** Commands under way; a password's owner who sends more in a burst loses the rest, as datagrams get lost. */
const MAX_RUNNING = 64

/**
 * RCON over UDP on the port of an emulated server, faults of which it has none: to be given as its `intercept`. As
 * {@link makeGoldSourceRcon} otherwise; commands run for the life of the scope.
 */
export const interceptGoldSource = Effect.fnUntraced(function* (
  options: Omit<GoldSourceRconServerOptions, "host" | "port" | "queries">
): Effect.fn.Return<GoldSourceInterceptor, InvalidServer, Scope.Scope> {
  yield* Effect.fromResult(checked(udpShape, options))
  const { dialect = "goldsource", encoding = "auto", handler, maxTextBytes } = options
  const engine = dialect === "quake" ? dialect : "goldsource"
  const attempts = new LoginAttempts(options.attempts)
  const console = new GoldSourceConsole({ dialect, password: passwordOf(options), attempts, encoding, maxTextBytes })
  const clock = yield* Clock.Clock
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, never>())<never>()
  let running = 0
  return {
    unban: (banned) => attempts.unban(banned),
    intercept: (datagram, address, port, reply) => {
      const answer = console.receive(datagram, address, port, clock.currentTimeMillisUnsafe())
      if (answer.kind === "foreign") return false
      if (answer.kind === "send") answer.datagrams.forEach(reply)
      else if (running < MAX_RUNNING) {
        running += 1
        fork(
          Effect.map(runHandler(handler, answer.command, { address, port, engine }), (text) => {
            running -= 1
            console.reply(text).forEach(reply)
          })
        )
      }
      return true
    }
  }
})

/**
 * Serves RCON over UDP for the life of the scope. **Old clients ask for a challenge with fewer bytes than it has, so the first
 * reply is larger than its request**; such replies are rationed to ten per second in all.
 */
export const makeGoldSourceRcon = Effect.fnUntraced(function* (
  options: GoldSourceRconServerOptions
): Effect.fn.Return<RconServer, InvalidServer | SendFailed, Datagrams | Scope.Scope> {
  const { intercept, unban } = yield* interceptGoldSource(options)
  const { host = "127.0.0.1", port = 27_015, queries } = options
  const clock = yield* Clock.Clock
  const { handle } = yield* openAnswering({ address: host, port }, (bytes, address, port, send) => {
    if (intercept(bytes, address, port, (reply) => send(reply, address, port))) return true
    const replies = queries?.respond(bytes, address, port, clock.currentTimeMillisUnsafe()) ?? []
    for (const reply of replies) send(reply, address, port)
    return replies.length > 0
  })
  return { local: handle.local, unban }
})

/** What to serve, and over what. */
export type PromiseRconServerOptions = {
  /** UDP and TCP of the runtime, from a transport package. */
  readonly transport: Layer.Layer<Datagrams | Streams>
  /** Plain text is wrapped at once. */
  readonly password: Redacted.Redacted<string> | string
} & (
  | ({ readonly engine: "source" } & Omit<SourceRconServerOptions, "password">)
  | ({ readonly engine: UdpDialect } & Omit<GoldSourceRconServerOptions, "dialect" | "password">)
)

/** A running RCON server, to be closed (or bound with `await using`) when it is no longer needed. */
export interface RunningRconServer extends RconServer, Closable {}

/**
 * Starts an RCON server. Rejects with `SendFailed` when the address can't be had, with `InvalidServer` when options make no sense.
 *
 * @example
 * import { startRconServer } from "@sourcewire/server"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using server = await startRconServer({
 *   transport: layer,
 *   engine: "source",
 *   password: "secret",
 *   handler: (command) => `You said ${command}.\n`
 * })
 */
export const startRconServer = async (options: PromiseRconServerOptions): Promise<RunningRconServer> => {
  Result.getOrThrow(checked(all(transportShape, promiseRconShape), options))
  const password = typeof options.password === "string" ? Redacted.make(options.password) : options.password
  const make: Effect.Effect<RconServer, InvalidServer | SendFailed, Datagrams | Scope.Scope | Streams> =
    options.engine === "source"
      ? makeSourceRcon({ ...options, password })
      : makeGoldSourceRcon({ ...options, password, dialect: options.engine })
  const { closable, value } = await startRunning("The RCON server", options.transport, make)
  return { ...value, ...closable }
}
