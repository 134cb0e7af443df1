/**
 * Validates the options of a proxy: its game servers, its addresses for these game servers, and its behaviour. All options are checked
 * before any of them takes effect.
 */
import { formatAddress, InvalidOption, parseAddress } from "@sourcewire/core"
import type { Address } from "@sourcewire/core"
import { canonicalAddress } from "@sourcewire/core/address"
import * as Result from "effect/Result"
import { checked } from "@sourcewire/inside/checks"
import { isLoopback, type RateLimitOptions } from "@sourcewire/server/machines"
import { proxyServersShape } from "./shapes.ts"

/** One game server, and the address on which the proxy replies for it. */
export interface ProxyServerOptions {
  /** The game server's query address. */
  readonly upstream: string
  /** Numeric address to listen on (default: `127.0.0.1`). */
  readonly host?: string
  /** UDP port to listen on (default: 0, chosen by the system). */
  readonly port?: number
  /** Interval at which the proxy queries INFO and PLAYER of the game server, in ms (default: 2000, or less for a short `maxStaleMs`). */
  readonly refreshMs?: number
  /**
   * Interval at which the proxy queries RULES, which are large and rarely change, in ms (default: 30 000, or less for a short
   * `maxStaleMs`).
   */
  readonly rulesRefreshMs?: number
  /** Time limit of each query to the game server, in ms (default: 2000). */
  readonly timeoutMs?: number
  /**
   * Maximum age of a served reply, in ms (default: 60 000, or more for long refresh intervals). Replies must not expire before they are
   * refreshed. Therefore this age must exceed the longer of `refreshMs` and `rulesRefreshMs` by at least `refreshMs`.
   */
  readonly maxStaleMs?: number
  /**
   * Server name in INFO when the replies are older than `maxStaleMs`: the proxy then reports an empty server (default: the proxy stops
   * replying).
   */
  readonly offlineName?: string
  /** Whether the proxy replies to A2A_PING while it has a reply to serve (default: true). */
  readonly ping?: boolean
  /**
   * Whether replies hide the address of the game server (default: true; false if the game server is on loopback). If true:
   *
   * - The proxy replaces the field `address` of INFO in the older dialect.
   * - The proxy removes the rules that always contain an address of the game server, for example `GameServer`.
   * - The proxy removes the rules whose value contains the host of the game server.
   */
  readonly hideUpstream?: boolean
  /**
   * Address at which players join, as `host:port`. With `hideUpstream`, this address replaces the game server's address, and the port of
   * this address replaces the port in INFO (default: the proxy's address; the port in INFO is not changed).
   */
  readonly publicAddress?: string
  /**
   * Limits, for each address, the number of replies that are larger than their requests; `"none"` for no limit (default: 100 per second; no
   * limit on loopback).
   */
  readonly limit?: RateLimitOptions | "none"
}

/** {@link ProxyServerOptions} with all defaults. */
export interface ProxyTarget extends Required<
  Omit<ProxyServerOptions, "upstream" | "offlineName" | "publicAddress" | "limit">
> {
  readonly upstream: Address
  readonly offlineName: string | undefined
  readonly publicAddress: string | undefined
  readonly limit: RateLimitOptions | undefined
}

/** Maximum number of game servers. Each game server needs two sockets: one for its clients, and one for queries to the game server. */
export const MAX_PROXY_SERVERS = 256

/** Minimum value of `refreshMs` and `rulesRefreshMs`. */
const MIN_REFRESH_MS = 100

const DAY_MS = 86_400_000

/** Maximum value of `maxStaleMs`. It suffices for the longest refresh intervals. */
const LONGEST_STALE_MS = 3 * DAY_MS

/** Maximum value of `timeoutMs`. A server that needs more time to reply is useless to clients. */
const MAX_TIMEOUT_MS = 60_000

/** Maximum length of `offlineName`. An INFO reply with a name of this length fits into one datagram on every network. */
const MAX_NAME_CHARS = 200

const invalid = (option: string, message: string) => Result.fail(new InvalidOption({ option, message }))

const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::"

/**
 * Whether a query to `upstream` would arrive at the proxy's own socket on `host` and `port`. The function does not resolve any host name
 * except `localhost`.
 */
const arrivesAt = (upstream: Address, { host, port }: { readonly host: string; readonly port: number }): boolean =>
  port === upstream.port &&
  (host === upstream.host ||
    ((isWildcard(host) || isLoopback(host)) && (upstream.host === "localhost" || isWildcard(upstream.host))) ||
    (isWildcard(host) && isLoopback(upstream.host)))

/** Finds lines of the proxy that query each other in a circle. The lines in a circle would receive their own old replies as new replies. */
const findRing = (targets: ReadonlyArray<ProxyTarget>): ReadonlyArray<ProxyTarget> | undefined => {
  for (const first of targets) {
    const asked: Array<ProxyTarget> = []
    for (let next: ProxyTarget | undefined = first; next !== undefined && !asked.includes(next);) {
      asked.push(next)
      const { upstream }: ProxyTarget = next
      next = targets.find((target) => arrivesAt(upstream, target))
      if (next === first) return asked
    }
  }
  return undefined
}

type Times = Pick<ProxyTarget, "refreshMs" | "rulesRefreshMs" | "maxStaleMs">

/**
 * Returns the two refresh intervals and the maximum age. If the options omit some of these three times, the function derives them from the
 * other times.
 */
const fillIntervals = (options: Partial<Times>): Times => {
  const { maxStaleMs: stale } = options
  const { refreshMs = stale === undefined ? 2000 : Math.min(2000, Math.max(MIN_REFRESH_MS, Math.floor(stale / 4))) } =
    options
  const room = (stale ?? Number.POSITIVE_INFINITY) - 2 * refreshMs
  const { rulesRefreshMs = Math.max(refreshMs, Math.min(30_000, room)) } = options
  const { maxStaleMs = Math.max(60_000, 2 * refreshMs + Math.max(refreshMs, rulesRefreshMs)) } = options
  return { refreshMs, rulesRefreshMs, maxStaleMs }
}

const checkedTarget = (options: ProxyServerOptions, path: string): Result.Result<ProxyTarget, InvalidOption> => {
  const wrong = (name: keyof ProxyServerOptions, message: string) => invalid(`${path}.${name}`, message)
  const address = parseAddress(options.upstream)
  if (Result.isFailure(address)) return wrong("upstream", address.failure.message)
  const upstream = address.success
  const { port = 0, timeoutMs = 2000 } = options
  const host = canonicalAddress(options.host ?? "127.0.0.1")!
  const where = formatAddress(upstream)
  for (const [name, least, most] of [
    ["refreshMs", MIN_REFRESH_MS, DAY_MS],
    ["rulesRefreshMs", MIN_REFRESH_MS, DAY_MS],
    ["timeoutMs", 1, MAX_TIMEOUT_MS],
    ["maxStaleMs", 2 * MIN_REFRESH_MS, LONGEST_STALE_MS]
  ] as const) {
    const value = options[name]
    if (value !== undefined && !(value >= least && value <= most)) {
      return wrong(name, `${name} of ${where} must be from ${least} to ${most} ms, not ${value}.`)
    }
  }
  const { maxStaleMs, refreshMs, rulesRefreshMs } = fillIntervals(options)
  // The refresh of RULES can be late by one cycle, because RULES are queried only in a cycle, after INFO.
  const leastStaleMs = Math.max(refreshMs, rulesRefreshMs) + refreshMs
  if (maxStaleMs < leastStaleMs) {
    return wrong(
      "maxStaleMs",
      `maxStaleMs of ${where} is ${maxStaleMs} ms, but refreshMs ${refreshMs} and rulesRefreshMs ${rulesRefreshMs} need at least ${leastStaleMs}: replies would expire before they are refreshed.`
    )
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

/** The key of a front: its address. If the system chooses the port, the key also contains the address of the game server. */
export const frontKey = ({ host, port, upstream }: ProxyTarget): string =>
  port === 0 ? `${host} 0 ${formatAddress(upstream)}` : `${host} ${port}`

/**
 * Validates all servers and their combination. Returns a map from {@link frontKey} to the server, in the given order, or the first error.
 */
export const checkedTargets = (
  given: ReadonlyArray<ProxyServerOptions>
): Result.Result<ReadonlyMap<string, ProxyTarget>, InvalidOption> => {
  const options = checked(proxyServersShape, { servers: given })
  if (Result.isFailure(options)) return Result.fail(options.failure)
  const { servers } = options.success
  if (servers.length > MAX_PROXY_SERVERS)
    return invalid("servers", `A proxy can have at most ${MAX_PROXY_SERVERS} servers, not ${servers.length}.`)
  const targets = new Map<string, ProxyTarget>()
  for (const [index, options] of servers.entries()) {
    const path = `servers.${index}`
    const target = checkedTarget(options, path)
    if (Result.isFailure(target)) return Result.fail(target.failure)
    const key = frontKey(target.success)
    if (targets.has(key)) {
      const { host, port } = target.success
      return invalid(
        path,
        port === 0
          ? `${options.upstream} is listed twice. Give each entry its own port to listen on.`
          : `Two servers listen on ${formatAddress({ host, port })}. Give each its own port.`
      )
    }
    targets.set(key, target.success)
  }
  const all = [...targets.values()]
  const ring = findRing(all)
  if (ring !== undefined) {
    const names = ring.map(({ upstream }) => formatAddress(upstream))
    return invalid(
      `servers.${all.indexOf(ring[0]!)}.upstream`,
      ring.length === 1
        ? `The proxy for ${names[0]} listens on the same address, so it would query itself. Change one of the two addresses.`
        : `The proxies for ${names.join(", ")} would query each other in a circle. Change the upstream of one of them.`
    )
  }
  return Result.succeed(targets)
}
