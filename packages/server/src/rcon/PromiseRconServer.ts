/**
 * An RCON server for programs that don't use Effect: the Promise API of `RconServer`.
 *
 * @module
 */
import type { SendFailed } from "@sourcewire/core"
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import { type Closable, startRunning } from "@sourcewire/core/machines"
import type * as Layer from "effect/Layer"
import type * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { all, checked } from "../edge.ts"
import { promiseRconShape, transportShape } from "../shapes.ts"
import type { InvalidServer } from "../InvalidServer.ts"
import type { GoldSourceRconServerOptions, RconServer, SourceRconServerOptions, UdpDialect } from "./RconServer.ts"
import { makeGoldSourceRcon, makeSourceRcon } from "./RconServer.ts"

interface OverTransport {
  /** UDP and TCP of the runtime, from a transport package. */
  readonly transport: Layer.Layer<Datagrams | Streams>
  /** Plain text is wrapped at once. */
  readonly password: Redacted.Redacted<string> | string
}

/** What to serve, and over what. */
export type PromiseRconServerOptions = OverTransport &
  (
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
