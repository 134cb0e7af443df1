/**
 * A master server on a socket. The server is independent of the runtime, because the `Datagrams` layer of a transport package provides UDP.
 * {@link MasterResponder} creates the replies.
 */
import { InvalidOption, type SendFailed } from "@sourcewire/core"
import { type Datagrams, type Endpoint, type Closable, startRunning } from "@sourcewire/core/transport"
import { currentTiming } from "@sourcewire/core/engine"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { openAnswering, type SocketCounters } from "../answeringSocket.ts"
import { checked } from "@sourcewire/inside/checks"
import { isLoopback } from "../limits/loopback.ts"
import { masterShape, transportShape } from "../shapes.ts"
import { MasterResponder, type MasterResponderOptions } from "./MasterResponder.ts"
import { RateLimiter, type RateLimitOptions } from "../limits/RateLimit.ts"

/** Options of a master server. */
export interface MasterServerOptions extends Omit<MasterResponderOptions, "limit"> {
  /** Numeric IPv4 or IPv6 address to listen on (default: `127.0.0.1`). */
  readonly host?: string
  /** UDP port (default: 0, chosen by the system). */
  readonly port?: number
  /**
   * Limits, for each address, the number of replies that are larger than their requests (default: 5 pages per second; unlimited on
   * loopback).
   */
  readonly limit?: RateLimitOptions
  /**
   * Permits a public address for a master with `repliesToUnverified` (default: false). **For a spoofed request, the master then sends the
   * victim a reply that is up to a hundred times as large as the request.** The option `limit` limits these replies.
   */
  readonly allowAmplification?: boolean
}

/** A running master. */
export interface MasterServer extends Endpoint {
  /** Returns the current counters. */
  readonly counters: () => SocketCounters
}

const DEFAULT_LIMIT: RateLimitOptions = { perSecond: 5 }

const checkAmplification = (options: MasterServerOptions): Result.Result<MasterServerOptions, InvalidOption> => {
  const { allowAmplification = false, repliesToUnverified = false, host = "127.0.0.1", profile = "valve" } = options
  const amplifies = repliesToUnverified || profile !== "valve"
  if (!amplifies || allowAmplification || isLoopback(host)) return Result.succeed(options)
  const message = `This master cannot listen on ${host}: it sends large replies without a challenge, so attackers can use spoofed requests to flood other hosts with these replies. Use a loopback address, or set allowAmplification to true.`
  return Result.fail(new InvalidOption({ message, option: "allowAmplification" }))
}

/** Runs a master until its scope closes. */
export const makeMaster = Effect.fnUntraced(function* (
  options: MasterServerOptions
): Effect.fn.Return<MasterServer, InvalidOption | SendFailed, Datagrams | Scope.Scope> {
  yield* Effect.fromResult(Result.flatMap(checked(masterShape, options), checkAmplification))
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

/** A running master, for programs without Effect. */
export interface RunningMasterServer extends MasterServer, Closable {}

/**
 * Starts a master over the UDP of a transport. Rejects with `InvalidOption`, which names the option, or `SendFailed` (address in use).
 *
 * @example
 * import { startMaster } from "@sourcewire/server"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using master = await startMaster({ transport: layer, servers: [{ address: "192.0.2.1:27015" }] })
 */
export const startMaster = async (
  options: MasterServerOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningMasterServer> => {
  const { transport, ...others } = Result.getOrThrow(checked(transportShape, options))
  const { closable, value } = await startRunning("The master server", transport, makeMaster(others))
  return { ...value, ...closable }
}
