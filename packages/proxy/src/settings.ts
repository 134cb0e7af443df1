/**
 * What a proxy is told: which game servers, where to answer for them, and how. Checked as a whole before any of it takes effect.
 */
import { TaggedError } from "@sourcewire/protocol/machines"
import { formatAddress, parseAddress } from "@sourcewire/core"
import type { Address } from "@sourcewire/core"
import { canonicalAddress } from "@sourcewire/core/machines"
import * as Result from "effect/Result"
import { type Check, checked, isLoopback, type RateLimitOptions } from "@sourcewire/server/machines"
import { proxyServersShape } from "./shapes.ts"

/** One game server and the address that answers for it. */
export interface ProxyServerOptions {
  /** The game server's query address, as people type it. */
  readonly upstream: string
  /** Numeric address to answer on. Default `127.0.0.1`. */
  readonly host?: string
  /** UDP port to answer on; 0, the default, lets the system choose. */
  readonly port?: number
  /** INFO and PLAYER are asked of the game server once in so many ms, whatever is asked here. Default 2000. */
  readonly refreshMs?: number
  /** RULES likewise, which change seldom and are large. Default 30 000. */
  readonly rulesRefreshMs?: number
  /** How long each question to the game server may take, in ms. Default 2000. */
  readonly timeoutMs?: number
  /** For how long, in ms, an answer is given out after the game server last confirmed it. Default 60 000. */
  readonly maxStaleMs?: number
  /**
   * Name under which INFO is answered, with nobody on the server, once the answers are too old. Without one the proxy then falls
   * silent, as the game server has.
   */
  readonly offlineName?: string
  /** Whether A2A_PING is answered while there is anything to answer. Default true. */
  readonly ping?: boolean
  /**
   * Whether answers are rid of what names the game server's address: `address` of the older INFO, the rule `GameServer`, and rules that
   * hold its host. Default: unless the game server is on a loopback address, which tells nobody anything.
   */
  readonly hideUpstream?: boolean
  /**
   * `host:port` by which players join. Where {@link hideUpstream} is in force, it takes the place of the game server's address and of its
   * port in INFO; without it the address of the proxy does, and the port stays.
   */
  readonly publicAddress?: string
  /** How often one address may get more than it sent; `"none"` for no limit. Default 100 a second, on a loopback address no limit. */
  readonly limit?: RateLimitOptions | "none"
}

/** {@link ProxyServerOptions} with everything filled in. */
export interface ProxyTarget extends Required<
  Omit<ProxyServerOptions, "upstream" | "offlineName" | "publicAddress" | "limit">
> {
  readonly upstream: Address
  readonly offlineName: string | undefined
  readonly publicAddress: string | undefined
  readonly limit: RateLimitOptions | undefined
}

/** What a proxy is told makes no sense. Nothing has changed because of it. */
export class InvalidProxy
  extends /* @__PURE__ */ TaggedError("InvalidProxy")<{
    /** A sentence for people. */
    readonly message: string
    /** Path of the option that is to be changed, as in `servers.0.refreshMs`. */
    readonly option: string
  }> {}

/** Options of the right shape, or what is wrong with them. */
export const shaped = <A>(check: Check, options: A): Result.Result<A, InvalidProxy> =>
  Result.mapError(checked(check, options), ({ message, option }) => new InvalidProxy({ message, option }))

/** Game servers of one proxy: each has a socket here and one towards it, of which a client opens no more. */
export const MAX_PROXY_SERVERS = 256

/** Least time between two questions to a game server, in ms. */
const MIN_REFRESH_MS = 100

const DAY_MS = 86_400_000

/** A server that takes longer than this, in ms, is no answer to anybody. */
const MAX_TIMEOUT_MS = 60_000

/** Longest name of a server that is offline: INFO must fit into the smallest datagram. */
const MAX_NAME_CHARS = 200

const invalid = (option: string, message: string) => Result.fail(new InvalidProxy({ option, message }))

const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** Whether what is asked of `upstream` arrives at a front on `host` and `port`, as far as its address tells. */
const isAnsweredBy = (upstream: Address, { host, port }: { readonly host: string; readonly port: number }): boolean =>
  port === upstream.port &&
  (host === upstream.host ||
    ((isWildcard(host) || isLoopback(host)) && (upstream.host === "localhost" || isWildcard(upstream.host))) ||
    (isWildcard(host) && isLoopback(upstream.host)))

/** Servers of one proxy that ask each other in a circle would take their own answers for fresh ones. */
const ringIn = (targets: ReadonlyArray<ProxyTarget>): ReadonlyArray<ProxyTarget> | undefined => {
  for (const first of targets) {
    const asked: Array<ProxyTarget> = []
    for (let next: ProxyTarget | undefined = first; next !== undefined && !asked.includes(next);) {
      asked.push(next)
      const { upstream }: ProxyTarget = next
      next = targets.find((target) => isAnsweredBy(upstream, target))
      if (next === first) return asked
    }
  }
  return undefined
}

const targetOf = (options: ProxyServerOptions, path: string): Result.Result<ProxyTarget, InvalidProxy> => {
  const wrong = (name: keyof ProxyServerOptions, message: string) => invalid(`${path}.${name}`, message)
  const address = parseAddress(options.upstream)
  if (Result.isFailure(address)) return wrong("upstream", address.failure.message)
  const upstream = address.success
  const { port = 0, refreshMs = 2000, timeoutMs = 2000 } = options
  const host = canonicalAddress(options.host ?? "127.0.0.1")!
  const where = formatAddress(upstream)
  // Whoever only says to ask seldom shall not find the rest contradicting that.
  const {
    rulesRefreshMs = Math.max(30_000, refreshMs),
    maxStaleMs = Math.max(60_000, Math.min(DAY_MS, 3 * refreshMs))
  } = options
  for (const [name, value, least, most] of [
    ["refreshMs", refreshMs, MIN_REFRESH_MS, DAY_MS],
    ["rulesRefreshMs", rulesRefreshMs, MIN_REFRESH_MS, DAY_MS],
    ["timeoutMs", timeoutMs, 1, MAX_TIMEOUT_MS],
    ["maxStaleMs", maxStaleMs, 0, DAY_MS]
  ] as const) {
    if (!(value >= least && value <= most)) {
      return wrong(name, `${name} of ${where} must be from ${least} to ${most} ms.`)
    }
  }
  const { offlineName } = options
  if (offlineName !== undefined && (offlineName.length > MAX_NAME_CHARS || offlineName.includes("\0"))) {
    return wrong("offlineName", `offlineName of ${where} must have at most ${MAX_NAME_CHARS} characters and no NUL.`)
  }
  const { publicAddress } = options
  const shown = publicAddress === undefined ? undefined : parseAddress(publicAddress)
  if (shown !== undefined && Result.isFailure(shown))
    return wrong("publicAddress", `publicAddress of ${where}: ${shown.failure.message}`)
  const limit = options.limit ?? (isLoopback(host) ? "none" : { perSecond: 100 })
  if (limit !== "none" && !(limit.perSecond > 0))
    return wrong("limit", `The limit of ${where} must be above 0 per second.`)
  return Result.succeed({
    upstream,
    host,
    port,
    refreshMs,
    rulesRefreshMs,
    timeoutMs,
    maxStaleMs,
    offlineName,
    ping: options.ping ?? true,
    hideUpstream: options.hideUpstream ?? !(isLoopback(upstream.host) || upstream.host === "localhost"),
    publicAddress: shown === undefined ? undefined : formatAddress(shown.success),
    limit: limit === "none" ? undefined : limit
  })
}

/** What tells two fronts apart: the address, and for those whose port the system chooses, whom they answer for. */
export const keyOf = ({ host, port, upstream }: ProxyTarget): string =>
  port === 0 ? `${host} 0 ${formatAddress(upstream)}` : `${host} ${port}`

/** Every server by {@link keyOf}, in order; an error when one of them, or all together, make no sense. */
export const targetsOf = (
  given: ReadonlyArray<ProxyServerOptions>
): Result.Result<ReadonlyMap<string, ProxyTarget>, InvalidProxy> => {
  const options = shaped(proxyServersShape, { servers: given })
  if (Result.isFailure(options)) return Result.fail(options.failure)
  const { servers } = options.success
  if (servers.length > MAX_PROXY_SERVERS)
    return invalid("servers", `A proxy stands for ${MAX_PROXY_SERVERS} servers at most.`)
  const targets = new Map<string, ProxyTarget>()
  for (const [index, options] of servers.entries()) {
    const path = `servers.${index}`
    const target = targetOf(options, path)
    if (Result.isFailure(target)) return Result.fail(target.failure)
    const key = keyOf(target.success)
    if (targets.has(key)) {
      const { host, port } = target.success
      return invalid(
        path,
        port === 0
          ? `${options.upstream} is there twice: give each its own port.`
          : `${formatAddress({ host, port })} cannot answer for two servers.`
      )
    }
    targets.set(key, target.success)
  }
  const all = [...targets.values()]
  const ring = ringIn(all)
  if (ring !== undefined) {
    const names = ring.map(({ upstream }) => formatAddress(upstream))
    return invalid(
      `servers.${all.indexOf(ring[0]!)}.upstream`,
      ring.length === 1
        ? `A proxy for ${names[0]} on that same address would ask itself.`
        : `The servers for ${names.join(", ")} would ask each other in a circle.`
    )
  }
  return Result.succeed(targets)
}
