/**
 * A master server on a socket. Knows no runtime; the UDP comes from the `Datagrams` layer of a transport package. What it answers is
 * {@link MasterResponder}'s matter.
 */
import type { SendFailed } from "@sourcewire/core"
import type { Datagrams, Endpoint } from "@sourcewire/core/transport"
import { type Closable, startRunning, currentTiming } from "@sourcewire/core/machines"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { openAnswering, type SocketCounters } from "../answeringSocket.ts"
import { checked } from "../edge.ts"
import { isLoopback } from "../limits/loopback.ts"
import { masterShape, transportShape } from "../shapes.ts"
import { InvalidServer } from "../InvalidServer.ts"
import { MasterResponder, type MasterResponderOptions } from "./MasterResponder.ts"
import { RateLimiter, type RateLimitOptions } from "../limits/RateLimit.ts"

/** What to list, and where to listen. */
export interface MasterServerOptions extends Omit<MasterResponderOptions, "limit"> {
  /** Numeric IPv4 or IPv6 address to listen on. Default `127.0.0.1`. */
  readonly host?: string
  /** UDP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** How much one address may get beyond what it sent. Default: 5 pages a second; on a loopback address unlimited. */
  readonly limit?: RateLimitOptions
  /**
   * Lets a master that `answersStrangers` listen where others can reach it. **Whoever forges a sender's address then has it send a
   * hundred times what it was sent to a victim**, within `limit`. Default false.
   */
  readonly allowAmplification?: boolean
}

/** A running master. */
export interface MasterServer extends Endpoint {
  /** A snapshot. */
  readonly counters: () => SocketCounters
}

const DEFAULT_LIMIT: RateLimitOptions = { perSecond: 5 }

const harmless = (options: MasterServerOptions): Result.Result<MasterServerOptions, InvalidServer> => {
  const { allowAmplification = false, answersStrangers = false, host = "127.0.0.1", profile = "valve" } = options
  const amplifies = answersStrangers || profile !== "valve"
  if (!amplifies || allowAmplification || isLoopback(host)) return Result.succeed(options)
  const message = `A master that answers strangers sends them a hundred times what it got, to a victim whose address is forged. So it may listen on a loopback address only, not on ${host}, unless allowAmplification is true.`
  return Result.fail(new InvalidServer({ message, option: "allowAmplification" }))
}

/** Runs a master until its scope closes. */
export const makeMaster = Effect.fnUntraced(function* (
  options: MasterServerOptions
): Effect.fn.Return<MasterServer, InvalidServer | SendFailed, Datagrams | Scope.Scope> {
  yield* Effect.fromResult(Result.flatMap(checked(masterShape, options), harmless))
  const { host = "127.0.0.1", port = 0, limit = isLoopback(host) ? undefined : DEFAULT_LIMIT, ...rest } = options
  const responder = new MasterResponder({ ...rest, ...(limit === undefined ? {} : { limit: new RateLimiter(limit) }) })
  const timing = yield* currentTiming
  const { counters, handle } = yield* openAnswering({ address: host, port }, (bytes, address, port, send) => {
    const replies = responder.respond(bytes, address, port, timing.now())
    for (const reply of replies) send(reply, address, port)
    return replies.length > 0
  })
  return { ...handle.local, counters }
})

/** A running master for people who don't use Effect. */
export interface RunningMasterServer extends MasterServer, Closable {}

/**
 * Starts a master over the UDP of a transport. Rejects with `InvalidServer`, which names the option, or `SendFailed` (address in use).
 *
 * @example
 * import { startMaster } from "@sourcewire/server"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using master = await startMaster({ transport: layer, servers: [{ address: "192.0.2.1:27015" }] })
 */
export const startMaster = async (
  options: MasterServerOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningMasterServer> => {
  const { transport } = Result.getOrThrow(checked(transportShape, options))
  const { closable, value } = await startRunning("The master server", transport, makeMaster(options))
  return { ...value, ...closable }
}
