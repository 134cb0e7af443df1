/**
 * The bridge between the page and game servers, since browsers have no UDP: serves the built page and a small API on this machine.
 *
 * Safe by default: it listens on loopback, answers its own page only (host, origin, token), and the console is off. Bound to another
 * address it needs a list of what may be asked, asks no address of a private network, and emulates nothing.
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

/** A bridge that listens. */
export interface RunningPlayground extends Closable {
  /** The page, with the token in the fragment: whoever has it can use the bridge. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly token: string
}

/**
 * Starts the bridge. Rejects with `InvalidOption` when the options are none or there is no page, or with the system's error when the port is taken.
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
      message: `A bridge on ${host} can be reached by others: give the addresses that it may ask.`
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
    // A watch goes on for an hour: no stream's end is waited for.
    Layer.provide(NodeHttpServer.layerServer(() => server, { host, port, gracefulShutdownTimeout: 0 })),
    // In place of files, which it neither reads nor sends.
    Layer.provide(HttpServer.layerServices)
  )
  // Ends what is under way, which nobody waits for.
  const hangUp = Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  const { closable } = await startRunning("The playground", layer, hangUp).catch((error: unknown) => {
    throw error instanceof ServeError ? error.cause : error
  })
  // An upgrade is answered like any other request; taken for one, its connection would be out of the server's sight and limits.
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
