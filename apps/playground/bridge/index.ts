/**
 * The bridge between the page and game servers, because browsers have no UDP. It serves the built page and a small API on this host. By
 * default, it listens on loopback, accepts requests of its own page only (host, origin, token), and has no console. On another address, it
 * requires a list of addresses that may be queried, queries no private networks, and emulates no servers.
 */
import { formatAddress } from "@sourcewire/core"
import { type Closable, startRunning } from "@sourcewire/core/transport"
import { InvalidOption, RateLimiter } from "@sourcewire/server"
import { isLoopback } from "@sourcewire/server/machines"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as HttpServer from "effect/http/HttpServer"
import { ServeError } from "effect/http/HttpServerError"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { readPage } from "@sourcewire/ui/page-files"
import { boundedServer } from "./connections.ts"
import { type Guard, makeToken } from "./guard.ts"
import { DEFAULT_LIMITS } from "./Limits.ts"
import { type PlaygroundOptions, checkOptions } from "./Options.ts"
import { application } from "./server.ts"
import { Settings } from "./Settings.ts"
import { streamPlaces } from "./streamPlaces.ts"

export { EMULATED_PASSWORD } from "../engine/emulated.ts"
export type { BridgeLimits } from "./Limits.ts"
export type { PlaygroundOptions } from "./Options.ts"
export { InvalidOption } from "@sourcewire/server"

/** A running bridge. */
export interface RunningPlayground extends Closable {
  /** URL of the page. Its fragment contains the token: anyone who has the URL can use the bridge. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly token: string
}

/**
 * Starts the bridge. Rejects with `InvalidOption` if an option is invalid or the page does not exist, or with the system's error if the
 * port is in use.
 *
 * @example
 * import { startPlayground } from "@sourcewire/playground"
 * await using playground = await startPlayground({ port: 8080 })
 * console.log(playground.url)
 */
export const startPlayground = async (options: PlaygroundOptions = {}): Promise<RunningPlayground> => {
  const checked = Result.getOrThrow(checkOptions(options))
  const { allow = [], host = "127.0.0.1", names = [], port = 0, rcon = false } = checked
  const loopback = isLoopback(host)
  if (!loopback && allow.length === 0) {
    throw new InvalidOption({
      option: "allow",
      message: `A bridge on ${host} is reachable from other hosts. Set allow to the addresses that it may query.`
    })
  }
  const token = makeToken()
  let guard: Guard = { hosts: new Set(), token }
  const limits = { ...DEFAULT_LIMITS, ...checked.limits }
  const { keep, server } = boundedServer(limits)
  const settings = Layer.succeed(Settings, {
    targets: { allow, local: loopback },
    rcon,
    emulate: loopback,
    limits,
    requests: new RateLimiter({ perSecond: limits.perSecond, burst: limits.burst, addresses: 1024 }),
    openStream: streamPlaces(limits.streams, limits.allStreams),
    keep,
    guard: () => guard
  })
  const files = readPage(checked.page ?? fileURLToPath(new URL("../dist", import.meta.url)))
  const layer = application(files).pipe(
    Layer.provide(settings),
    // The shutdown does not wait for streams, because a watch can last an hour.
    Layer.provide(NodeHttpServer.layerServer(() => server, { host, port, gracefulShutdownTimeout: 0 })),
    // These services replace the file services, which the bridge does not use.
    Layer.provide(HttpServer.layerServices)
  )
  // Closes connections with requests in progress.
  const hangUp = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  const { closable } = await startRunning("The playground", layer, hangUp).catch((error: unknown) => {
    throw error instanceof ServeError ? error.cause : error
  })
  // Without this listener, a request to upgrade the protocol is handled like any other request, and the limits apply to its connection.
  server.removeAllListeners("upgrade")
  const { port: bound } = server.address() as AddressInfo
  const listening = formatAddress({ host, port: bound })
  const own = loopback ? [`127.0.0.1:${bound}`, `localhost:${bound}`, `[::1]:${bound}`] : []
  guard = {
    hosts: new Set([...own, listening, ...names].map((name) => name.toLowerCase())),
    token
  }
  const shown = names[0] ?? listening
  return { url: `http://${shown}/#query?token=${token}`, host, port: bound, token, ...closable }
}
