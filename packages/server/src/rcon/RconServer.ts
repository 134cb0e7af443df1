/**
 * An RCON server to embed in a program: you provide the function that runs the commands.
 *
 * By default, the server listens on loopback, because the RCON protocols do not encrypt passwords and commands. Passwords are compared in
 * constant time. An address that sends six wrong passwords within 30 s is banned for an hour. The server limits the number of TCP
 * connections, and for each connection, the numbers of waiting requests and of unsent bytes.
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
 *   const { intercept } = yield* interceptGoldSource(options) // for a port that also supports queries
 *   return [tcp.local, udp.local, intercept.length]
 * })
 * console.log(await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(layer))))
 */
import type { InvalidOption, SendFailed } from "@sourcewire/core"
import { type Closable, startRunning, type Datagrams, type Streams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { openAnswering } from "../answeringSocket.ts"
import { all, checked } from "@sourcewire/inside/checks"
import { promiseRconShape, transportShape, udpShape } from "../shapes.ts"
import { runHandler } from "./commandHandler.ts"
import { GoldSourceConsole, type UdpDialect } from "./goldSourceConsole.ts"
import { LoginAttempts } from "./loginAttempts.ts"
import { encodePassword } from "./password.ts"
import { makeSourceRcon } from "./serveSource.ts"
import type { RconServer, RconServerOptions, SourceRconServerOptions } from "./serverOptions.ts"
import type { Answering, Intercept } from "../query/Responder.ts"

/** Options of an RCON server over UDP: the options of all RCON servers, and the options that apply only to UDP. */
export interface GoldSourceRconServerOptions extends RconServerOptions {
  /** The server to imitate (default: `goldsource`, which is HLDS). `hltv` is HLTV, the spectator proxy for HLDS. `quake` is Xash3D. */
  readonly dialect?: UdpDialect
  /**
   * Replies to all datagrams that are not RCON messages. For example, if you pass a `Responder`, the port also supports queries, like the
   * port of a game server.
   */
  readonly queries?: Answering
  /**
   * Maximum number of text bytes per datagram (default: 1393). If you set a larger number, the server sends datagrams with more than 1393
   * text bytes in fragments, as HLDS sometimes does.
   */
  readonly maxTextBytes?: number
}

/** RCON over UDP that shares the port of another server. */
export interface GoldSourceInterceptor extends Pick<RconServer, "unban"> {
  /** The function to pass to the emulated server as its option `intercept`. */
  readonly intercept: Intercept
}

/** Maximum number of commands that run at the same time. Further commands are dropped. */
const MAX_RUNNING = 64

/**
 * Serves RCON over UDP like {@link makeGoldSourceRcon}, but on the port of an emulated server: pass the returned `intercept` to this server
 * as its option `intercept`. The server's faults do not apply to RCON. When the scope closes, running commands are interrupted.
 */
export const interceptGoldSource = Effect.fnUntraced(function* (
  options: Omit<GoldSourceRconServerOptions, "host" | "port" | "queries">
): Effect.fn.Return<GoldSourceInterceptor, InvalidOption, Scope.Scope> {
  yield* Effect.fromResult(checked(udpShape, options))
  const { dialect = "goldsource", encoding = "auto", handler, maxTextBytes } = options
  const engine = dialect === "quake" ? dialect : "goldsource"
  const attempts = new LoginAttempts(options.attempts)
  const console = new GoldSourceConsole({
    dialect,
    password: encodePassword(options),
    attempts,
    encoding,
    maxTextBytes
  })
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
 * Serves RCON over UDP for the life of the scope. **The challenge request of old clients is smaller than the reply with the challenge.**
 * Replies to such requests are limited to ten per second in total.
 */
export const makeGoldSourceRcon = Effect.fnUntraced(function* (
  options: GoldSourceRconServerOptions
): Effect.fn.Return<RconServer, InvalidOption | SendFailed, Datagrams | Scope.Scope> {
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

/** Options of {@link startRconServer}. */
export type PromiseRconServerOptions = {
  /** The layer of a transport package, which provides UDP and TCP. */
  readonly transport: Layer.Layer<Datagrams | Streams>
  /** Password that clients must send. {@link startRconServer} converts a string to `Redacted` at once. */
  readonly password: Redacted.Redacted<string> | string
} & (
  | ({ readonly engine: "source" } & Omit<SourceRconServerOptions, "password">)
  | ({ readonly engine: UdpDialect } & Omit<GoldSourceRconServerOptions, "dialect" | "password">)
)

/** A running RCON server. Close it, or bind it with `await using`. */
export interface RunningRconServer extends RconServer, Closable {}

/**
 * Starts an RCON server. Rejects with `SendFailed` if the server cannot listen on the address, or with `InvalidOption` if an option is
 * invalid.
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
  const given = Result.getOrThrow(checked(all(transportShape, promiseRconShape), options))
  const { engine, password: plain, transport, ...others } = given
  const password = typeof plain === "string" ? Redacted.make(plain) : plain
  const make: Effect.Effect<RconServer, InvalidOption | SendFailed, Datagrams | Scope.Scope | Streams> =
    engine === "source"
      ? makeSourceRcon({ ...others, password })
      : makeGoldSourceRcon({ ...others, password, dialect: engine })
  const { closable, value } = await startRunning("The RCON server", transport, make)
  return { ...value, ...closable }
}
