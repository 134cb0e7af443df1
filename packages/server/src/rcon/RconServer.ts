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
 *
 * @module
 */
import type { SendFailed } from "@sourcewire/core"
import type { Datagrams, Endpoint, Streams } from "@sourcewire/core/transport"
import type { Encoding } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { checked } from "../edge.ts"
import { sourceShape, udpShape } from "../shapes.ts"
import type { InvalidServer } from "../InvalidServer.ts"
import type { CommandHandler } from "./commandHandler.ts"
import type { UdpDialect } from "./goldSourceConsole.ts"
import { GoldSourceConsole } from "./goldSourceConsole.ts"
import type { LoginAttemptsOptions } from "./loginAttempts.ts"
import { LoginAttempts } from "./loginAttempts.ts"
import type { SegmentFault } from "./outbox.ts"
import { passwordOf } from "./password.ts"
import { answerGoldSource, serveGoldSource } from "./serveGoldSource.ts"
import { serveSource } from "./serveSource.ts"
import type { SourceManners } from "./sourceConnection.ts"
import type { Answering, Intercept } from "../query/Responder.ts"

export type { CommandHandler, CommandSource } from "./commandHandler.ts"
export type { UdpDialect } from "./goldSourceConsole.ts"
export type { LoginAttemptsOptions } from "./loginAttempts.ts"
export type { SegmentFault } from "./outbox.ts"
export type { SourceManners } from "./sourceConnection.ts"

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

/** Serves Source RCON (TCP) for the life of the scope. */
export const makeSourceRcon = Effect.fnUntraced(function* (
  options: SourceRconServerOptions
): Effect.fn.Return<RconServer, InvalidServer | SendFailed, Scope.Scope | Streams> {
  yield* Effect.fromResult(checked(sourceShape, options))
  const attempts = new LoginAttempts(options.attempts)
  const local = yield* serveSource(options, attempts)
  return { local, unban: (banned) => attempts.unban(banned) }
})

/** What a server of RCON over UDP may be told besides. */
export interface GoldSourceRconServerOptions extends RconServerOptions {
  /** `goldsource`, as HLDS speaks, unless told otherwise; `hltv` as its proxy does, `quake` as Xash3D. */
  readonly dialect?: UdpDialect
  /** Answers the datagrams that are none of RCON's: a `Responder`, to have queries on the same port as game servers do. */
  readonly queries?: Answering
  /** Text per packet. Above 1393 bytes packets leave in fragments, as some of HLDS's do. */
  readonly maxTextBytes?: number
}

/** The console of such a server, and who may still try a password on it. */
const serviceOf = (options: Omit<GoldSourceRconServerOptions, "host" | "port" | "queries">) => {
  const attempts = new LoginAttempts(options.attempts)
  const dialect = options.dialect ?? "goldsource"
  const engine: "goldsource" | "quake" = dialect === "quake" ? dialect : "goldsource"
  const console = new GoldSourceConsole({
    dialect,
    password: passwordOf(options),
    attempts,
    encoding: options.encoding ?? "auto",
    maxTextBytes: options.maxTextBytes
  })
  return { engine, console, handler: options.handler, attempts }
}

/**
 * Serves RCON over UDP for the life of the scope. **Old clients ask for a challenge with fewer bytes than it has, so the first
 * reply is larger than its request**; such replies are rationed to ten per second in all.
 */
export const makeGoldSourceRcon = Effect.fnUntraced(function* (
  options: GoldSourceRconServerOptions
): Effect.fn.Return<RconServer, InvalidServer | SendFailed, Datagrams | Scope.Scope> {
  yield* Effect.fromResult(checked(udpShape, options))
  const service = serviceOf(options)
  const local = yield* serveGoldSource(service, options)
  return { local, unban: (banned) => service.attempts.unban(banned) }
})

/** RCON over UDP on a port that somebody else holds. */
export interface GoldSourceInterceptor {
  /** As the emulated server's option of this name. */
  readonly intercept: Intercept
  /** As in {@link RconServer}. */
  readonly unban: (address: string) => void
}

/**
 * RCON over UDP on the port of an emulated server, faults of which it has none: to be given as its `intercept`. As
 * {@link makeGoldSourceRcon} otherwise; commands run for the life of the scope.
 */
export const interceptGoldSource = Effect.fnUntraced(function* (
  options: Omit<GoldSourceRconServerOptions, "host" | "port" | "queries">
): Effect.fn.Return<GoldSourceInterceptor, InvalidServer, Scope.Scope> {
  yield* Effect.fromResult(checked(udpShape, options))
  const service = serviceOf(options)
  return { intercept: yield* answerGoldSource(service), unban: (banned) => service.attempts.unban(banned) }
})
