/**
 * An RCON server to embed: you provide a function that runs commands.
 *
 * It listens on loopback by default, because the protocols send passwords and commands in clear text. Passwords are compared in constant
 * time; six wrong ones within 30 s ban an address for an hour. Connections, requests and replies in flight are limited.
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
import { all, checked } from "../edge.ts"
import { promiseRconShape, transportShape, udpShape } from "../shapes.ts"
import { runHandler } from "./commandHandler.ts"
import { GoldSourceConsole, type UdpDialect } from "./goldSourceConsole.ts"
import { LoginAttempts } from "./loginAttempts.ts"
import { passwordOf } from "./password.ts"
import { makeSourceRcon } from "./serveSource.ts"
import type { RconServer, RconServerOptions, SourceRconServerOptions } from "./serverOptions.ts"
import type { Answering, Intercept } from "../query/Responder.ts"

/** Further options of a server of RCON over UDP. */
export interface GoldSourceRconServerOptions extends RconServerOptions {
  /** `goldsource`, as HLDS (the default); `hltv`, as its proxy; `quake`, as Xash3D. */
  readonly dialect?: UdpDialect
  /** Replies to datagrams that are not RCON's: a `Responder`, to have queries on the same port as game servers do. */
  readonly queries?: Answering
  /** Text per datagram. Above 1393 bytes, it is sent in fragments, as HLDS sometimes does. */
  readonly maxTextBytes?: number
}

/** RCON over UDP on the port of another server. */
export interface GoldSourceInterceptor extends Pick<RconServer, "unban"> {
  /** As the option of this name of the emulated server. */
  readonly intercept: Intercept
}

/** Commands in flight. If a client with the password sends more at once, the rest is dropped. */
const MAX_RUNNING = 64

/**
 * RCON over UDP on the port of an emulated server, without faults: pass it as its `intercept`. Otherwise as {@link makeGoldSourceRcon};
 * commands run for the life of the scope.
 */
export const interceptGoldSource = Effect.fnUntraced(function* (
  options: Omit<GoldSourceRconServerOptions, "host" | "port" | "queries">
): Effect.fn.Return<GoldSourceInterceptor, InvalidOption, Scope.Scope> {
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
 * Serves RCON over UDP for the life of the scope. **Old clients request a challenge with fewer bytes than it has, so the first reply is
 * larger than its request**; such replies are limited to ten per second in all.
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

/** The server, and its transport. */
export type PromiseRconServerOptions = {
  /** UDP and TCP of the runtime, from a transport package. */
  readonly transport: Layer.Layer<Datagrams | Streams>
  /** Plain text is converted at once. */
  readonly password: Redacted.Redacted<string> | string
} & (
  | ({ readonly engine: "source" } & Omit<SourceRconServerOptions, "password">)
  | ({ readonly engine: UdpDialect } & Omit<GoldSourceRconServerOptions, "dialect" | "password">)
)

/** A running RCON server, to be closed (or bound with `await using`) when it is no longer needed. */
export interface RunningRconServer extends RconServer, Closable {}

/**
 * Starts an RCON server. Rejects with `SendFailed` when the address can't be had, with `InvalidOption` when options make no sense.
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
