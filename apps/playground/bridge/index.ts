/**
 * The bridge between the page and game servers, since browsers have no UDP: serves the built page and a small API on this machine.
 *
 * Safe by default: it listens on loopback, answers its own page only (host, origin, token), and the console is off. Bound to another
 * address it needs a list of what may be asked, asks no address of a private network, and emulates nothing.
 *
 * @module
 */
import { IpRanges } from "@sourcewire/core"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { ClientLimits, type ClientLimitOptions } from "./ClientLimits.ts"
import { type Guard, makeToken } from "./guard.ts"
import { readPage } from "./pageFiles.ts"
import { application } from "./server.ts"
import { Settings } from "./Settings.ts"

export { EMULATED_PASSWORD } from "./emulated.ts"

/** Where to listen, and what to offer. */
export interface PlaygroundOptions {
  /** Numeric address to listen on; 127.0.0.1 unless given. */
  readonly host?: string
  /** TCP port; 0, the default, lets the system choose. */
  readonly port?: number
  /** Whether the page may run console commands; `false` unless given. */
  readonly rcon?: boolean
  /** What may be asked: ranges (`203.0.113.0/24`), `host` or `host:port`. Everything on loopback unless given, elsewhere required. */
  readonly allow?: ReadonlyArray<string>
  /** `host:port` as browsers name a bridge that is not on loopback; its address and port unless given. */
  readonly names?: ReadonlyArray<string>
  /** Directory of the built page; beside this package unless given. */
  readonly page?: string
  readonly limits?: ClientLimitOptions
}

/** A bridge that listens. */
export interface RunningPlayground extends AsyncDisposable {
  /** The page, with the token in the fragment: whoever has it can use the bridge. */
  readonly url: string
  readonly host: string
  readonly port: number
  readonly token: string
  /** Ends every query and closes the socket. */
  readonly close: () => Promise<void>
}

/** The options would make a bridge that is not safe, or none at all. */
export class InvalidPlayground extends Data.TaggedError("InvalidPlayground")<{
  /** A sentence for people. */
  readonly message: string
}> {}

/**
 * Starts the bridge. Rejects with `InvalidPlayground`, or with the system's error when the port is taken.
 *
 * @example
 * import { startPlayground } from "@sourcewire/playground"
 * await using playground = await startPlayground({ port: 8080 })
 * console.log(playground.url)
 */
export const startPlayground = async (options: PlaygroundOptions = {}): Promise<RunningPlayground> => {
  const { allow = [], host = "127.0.0.1", port = 0 } = options
  const loopback = isLoopback(host)
  if (!loopback && allow.length === 0) {
    throw new InvalidPlayground({
      message: `A bridge on ${host} can be reached by others: give the addresses that it may ask.`
    })
  }
  const token = makeToken()
  let guard: Guard = { hosts: new Set(), token }
  const settings = Layer.succeed(Settings, {
    targets: { allow, local: loopback },
    rcon: options.rcon === true,
    emulate: loopback,
    limits: new ClientLimits(options.limits),
    guard: () => guard
  })
  const files = readPage(options.page ?? fileURLToPath(new URL("../dist", import.meta.url)))
  const server: Server = createServer()
  const layer = application(files).pipe(
    Layer.provide(settings),
    // Streams of a watch never end by themselves: nothing is waited for.
    Layer.provide(NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: 0 }))
  )
  const scope = Scope.makeUnsafe()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    server.closeAllConnections()
    closing ??= Effect.runPromise(Scope.close(scope, Exit.void))
    return closing
  }
  try {
    await Effect.runPromise(Layer.buildWithScope(layer, scope))
  } catch (error) {
    await close()
    throw error
  }
  const { port: bound } = server.address() as AddressInfo
  const spelt = host.includes(":") ? `[${host}]` : host
  const own = loopback ? [`127.0.0.1:${bound}`, `localhost:${bound}`, `[::1]:${bound}`] : []
  guard = {
    hosts: new Set([...own, `${spelt}:${bound}`, ...(options.names ?? [])].map((name) => name.toLowerCase())),
    token
  }
  const shown = options.names?.[0] ?? `${spelt}:${bound}`
  return { url: `http://${shown}/#ask?token=${token}`, host, port: bound, token, close, [Symbol.asyncDispose]: close }
}

const LOOPBACK = ["127.0.0.0/8", "::1"].map((text) => Result.getOrThrow(IpRanges.parse(text)))

const isLoopback = (host: string): boolean => LOOPBACK.some((range) => IpRanges.contains(range, host))
