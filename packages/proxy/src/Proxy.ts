/**
 * A caching proxy, which receives the queries of clients in place of game servers. It replies to INFO, PLAYER and RULES requests with the
 * last replies of the game server. It also replies to pings and challenge requests. It queries the game servers at a steady rate,
 * independent of the clients' requests. The proxy is independent of the runtime, because the `Datagrams` layer of a transport package
 * provides UDP.
 *
 * **No datagram passes through.** A datagram that arrives at the proxy never causes a datagram to a game server. Therefore a flood does not
 * reach the game server. The proxy drops RCON and game traffic, and no option permits them.
 *
 * **The proxy does not amplify.** Even if the game server sends full replies to unverified addresses, a client of the proxy must return a
 * challenge before it gets more bytes than it sent.
 */
import { type InvalidOption, type SendFailed, Client } from "@sourcewire/core"
import { Datagrams, type Closable, startRunning } from "@sourcewire/core/transport"
import { currentTiming } from "@sourcewire/core/engine"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { checked } from "@sourcewire/inside/checks"
import { transportShape } from "@sourcewire/server/machines"
import { proxyShape } from "./shapes.ts"
import type { SavedUpstream } from "./cache.ts"
import { openFront } from "./front.ts"
import { type Line, type ProxyEvent, type ProxyStatus, startLine } from "./line.ts"
import { type ProxyServerOptions, type ProxyTarget, checkedTargets } from "./settings.ts"

/** Options of a proxy. */
export interface ProxyOptions {
  readonly servers: ReadonlyArray<ProxyServerOptions>
  /**
   * The result that `save` of an earlier proxy returned. If the saved replies are not older than `maxStaleMs`, the proxy serves them at
   * once, as stale replies.
   */
  readonly saved?: ReadonlyArray<SavedUpstream>
  /** Called synchronously for each event. The function must not throw. */
  readonly onEvent?: (event: ProxyEvent) => void
}

/** A running proxy. */
export interface Proxy {
  /** Returns the state of each server. The states have the same order as the servers in the option `servers`. */
  readonly status: () => ReadonlyArray<ProxyStatus>
  /**
   * Replaces the servers. Servers whose options did not change are not interrupted. If the settings or the game server of a listening
   * address change, the socket at this address stays open. If `reconfigure` fails, the proxy continues with the previous servers.
   */
  readonly reconfigure: (servers: ReadonlyArray<ProxyServerOptions>) => Effect.Effect<void, InvalidOption | SendFailed>
  /** The caches of all game servers, for the option `saved` of the next proxy. */
  readonly save: Effect.Effect<ReadonlyArray<SavedUpstream>>
  /** Returns a number that changes whenever a cache changes. If the number has changed since the last `save`, save the caches again. */
  readonly revision: () => number
}

interface Open {
  readonly line: Line
  readonly scope: Scope.Closeable
}

const sameTarget = (a: ProxyTarget, b: ProxyTarget): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Runs a proxy until its scope closes. */
export const makeProxy = Effect.fnUntraced(function* (
  given: ProxyOptions
): Effect.fn.Return<Proxy, InvalidOption | SendFailed, Datagrams | Scope.Scope> {
  const options = yield* Effect.fromResult(checked(proxyShape, given))
  const { onEvent = () => {}, saved = [] } = options
  const scope = yield* Effect.scope
  const timing = yield* currentTiming
  // The default options of a client are always valid.
  const services = Layer.provideMerge(Client.layer(), Layer.succeed(Datagrams, yield* Datagrams))
  const context = yield* Layer.build(Layer.orDie(services))
  const oneAtATime = yield* Semaphore.make(1)
  let open: ReadonlyMap<string, Open> = new Map()
  let replaced = 0

  const lines = (): ReadonlyArray<Line> => Array.from(open.values(), ({ line }) => line)
  const revision = (): number => lines().reduce((sum, { cache }) => sum + cache.revision, replaced)

  const save = Effect.map(Clock.currentTimeMillis, (wall) => {
    const toWall = wall - timing.now()
    return lines().map(({ cache }) => cache.save((time) => time + toWall))
  })

  const openLine = Effect.fnUntraced(function* (target: ProxyTarget, scope: Scope.Closeable) {
    const front = yield* Scope.provide(openFront(target.host, target.port), scope)
    // Load the caches of the current lines, too: if only the listening address for a game server changes, its cache must be kept.
    const known = [...(yield* save), ...saved]
    return { scope, line: yield* startLine(target, front, scope, { saved: known, onEvent }) }
  })

  /** Opens all new sockets before the proxy closes or changes any line, because opening fails if a port is in use. */
  const openAll = (targets: ReadonlyArray<readonly [key: string, target: ProxyTarget]>) => {
    const scopes: Array<Scope.Closeable> = []
    return Effect.forEach(targets, ([key, target]) =>
      Effect.flatMap(Scope.fork(scope), (own) => {
        scopes.push(own)
        return Effect.map(openLine(target, own), (open) => [key, open] as const)
      })
    ).pipe(Effect.onError(() => Effect.forEach(scopes, (own) => Scope.close(own, Exit.void))))
  }

  const reconfigure = Effect.fnUntraced(function* (servers: ReadonlyArray<ProxyServerOptions>) {
    const targets = yield* Effect.fromResult(checkedTargets(servers))
    const opened = new Map(yield* openAll([...targets].filter(([key]) => !open.has(key))))
    for (const [key, { line, scope }] of open) {
      if (targets.has(key)) continue
      yield* Scope.close(scope, Exit.void)
      onEvent({ _tag: "Closed", upstream: line.upstream, listening: line.listening })
    }
    const next = new Map<string, Open>()
    for (const [key, target] of targets) {
      const before = open.get(key)
      if (before === undefined) next.set(key, opened.get(key)!)
      else if (sameTarget(before.line.target, target)) next.set(key, before)
      else next.set(key, { line: yield* before.line.retarget(target), scope: before.scope })
    }
    // The revision is `replaced` plus the revisions of all caches. If caches are removed, their revisions no longer count, but the total
    // must still increase.
    replaced = revision() + 1
    open = next
    for (const { line } of opened.values()) {
      onEvent({ _tag: "Listening", upstream: line.upstream, listening: line.listening })
    }
  }, Effect.provide(context))

  const proxy: Proxy = {
    status: () => lines().map((line) => line.status()),
    reconfigure: (servers) => oneAtATime.withPermits(1)(Effect.uninterruptible(reconfigure(servers))),
    save,
    revision
  }
  yield* proxy.reconfigure(options.servers)
  return proxy
})

/** A running proxy, for programs without Effect. */
export interface RunningProxy extends Omit<Proxy, "reconfigure" | "save">, Closable {
  /** Replaces the servers. Rejects with `InvalidOption` or `SendFailed`. */
  readonly reconfigure: (servers: ReadonlyArray<ProxyServerOptions>) => Promise<void>
  /** The caches of all game servers, for the option `saved` of the next proxy. */
  readonly save: () => Promise<ReadonlyArray<SavedUpstream>>
}

/**
 * Starts a proxy over the UDP of a transport. Rejects with `InvalidOption` or `SendFailed` (address in use).
 *
 * @example
 * import { startProxy } from "@sourcewire/proxy"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using proxy = await startProxy({
 *   transport: layer,
 *   servers: [{ upstream: "127.0.0.1:27015", port: 27016 }]
 * })
 */
export const startProxy = async (
  options: ProxyOptions & { readonly transport: Layer.Layer<Datagrams> }
): Promise<RunningProxy> => {
  const { transport, ...others } = Result.getOrThrow(checked(transportShape, options))
  const { closable, run, value } = await startRunning("The proxy", transport, makeProxy(others))
  return {
    ...value,
    ...closable,
    reconfigure: (servers) => run(value.reconfigure(servers)),
    save: () => run(value.save)
  }
}
