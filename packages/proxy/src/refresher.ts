/**
 * Refreshes a cache: queries a game server at a steady rate, independent of requests from clients, and stores the replies.
 *
 * A cycle starts with INFO. The other parts are queried only if the server responds to INFO. If the server does not reply to the query for
 * a part, the pauses between the queries for this part become longer.
 */
import { type Address, type ClientError, type Unresolved, Client } from "@sourcewire/core"
import { type Exchange, type RoundTrip, currentTiming } from "@sourcewire/core/engine"
import { type CachedChallenge, QueryExchange, readSettings } from "@sourcewire/core/query"
import { lookUp, Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"
import { type Ages, ageQuery } from "./age.ts"
import { Budget } from "./budget.ts"
import type { Part, Replies, UpstreamCache } from "./cache.ts"
import { ObservedExchange, type Value } from "./observe.ts"
import { Origin } from "./origin.ts"
import { Pace } from "./pace.ts"
import type { ProxyTarget } from "./settings.ts"

/**
 * The state of a game server.
 *
 * - `starting`: the server has never replied.
 * - `fresh`: the server replied to the last query.
 * - `stale`: the server did not reply to the last query, the server is a proxy with old replies, or the cache was loaded from a file. The
 *   last replies are still served.
 * - `gone`: the last replies are too old to be served.
 */
export type UpstreamState = "starting" | "fresh" | "stale" | "gone"

/** Counters of queries to a game server. */
export interface RefreshCounters {
  readonly answered: Readonly<Record<Part, number>>
  readonly failed: Readonly<Record<Part, number>>
  /** Datagrams sent to the game server, including challenge requests and retransmissions. */
  readonly sent: number
}

/**
 * Time in ms for which the refresher caches the address of a host name. If the server does not respond to INFO, the refresher resolves the
 * host name earlier.
 */
const NAME_CACHE_MS = 60_000

/** Time limit for the age request, in ms. The limit is short, because a game server may ignore this request. */
const AGE_TIMEOUT_MS = 1000

/** Interval in ms at which the proxy tests whether an upstream that was not a proxy has become a proxy. */
const AGE_INTERVAL_MS = 60_000

/**
 * Maximum number of cycles, and maximum time in ms, before the first age request. The first cycles omit this request, because the clients
 * do not need the ages.
 */
const CYCLES_BEFORE_AGE = 3
const MAX_MS_BEFORE_AGE = 5000

/** The reason that is reported if the upstream is a proxy and its replies are stale. */
const ECHO =
  "The upstream is a proxy whose game server has not responded for a long time. The proxies may query each other."

/**
 * If the upstream is a proxy, its INFO reply is stale above this age in ms, or above three refresh intervals if they are longer. An INFO
 * reply of this age shows that the upstream's game server has not replied for several cycles.
 */
const MIN_STALE_MS = 15_000

/** If INFO fails with one of these errors, the refresher ends the cycle. */
const ABSENT: ReadonlySet<ClientError["_tag"]> = new Set(["Timeout", "PortClosed", "SendFailed", "Unresolved"])

const sameOversize = (a: Oversize, b: Oversize | undefined): boolean =>
  a.how === b?.how && a.maxBytes === b.maxBytes && a.layout === b.layout && a.bzip2 === b.bzip2

/**
 * Creates a refresher, which sends nothing until it runs. `onState` is called after the first cycle and whenever the state has changed.
 * `failure` is the reason why the replies are not fresh.
 */
export const makeRefresher = Effect.fnUntraced(function* (
  target: ProxyTarget,
  cache: UpstreamCache,
  onState: (state: UpstreamState, failure: string | undefined) => void
) {
  const client = yield* Client
  const datagrams = yield* Datagrams
  const timing = yield* currentTiming
  // The options of the proxy were already validated. Therefore this call cannot fail.
  const settings = yield* Effect.orDie(Effect.fromResult(readSettings({ timeoutMs: target.timeoutMs }, undefined)))
  const answered: Record<Part, number> = { info: 0, players: 0, rules: 0 }
  const failed: Record<Part, number> = { info: 0, players: 0, rules: 0 }
  let sent = 0
  const paces = { players: new Pace(target.refreshMs), rules: new Pace(target.refreshMs) }
  const beforeAgeMs = Math.min(MAX_MS_BEFORE_AGE, CYCLES_BEFORE_AGE * target.refreshMs)
  const agePace = new Pace(beforeAgeMs, timing.now() + beforeAgeMs)
  const origin = new Origin()
  let wasPrivate = false
  let isAnswering = false
  let failure: string | undefined
  let challenge: CachedChallenge | undefined
  let resolved: { readonly address: Address; readonly at: number } | undefined

  const state = (): UpstreamState => {
    if (cache.isEmpty) return "starting"
    if (!cache.isFresh(timing.now(), target.maxStaleMs)) return "gone"
    return isAnswering && !isEcho() ? "fresh" : "stale"
  }

  /** Whether the upstream is a proxy whose last INFO reply is stale. */
  const isEcho = (): boolean => {
    const { takenAt = Number.NEGATIVE_INFINITY } = cache.kept("info") ?? {}
    return origin.isProxy && timing.now() - takenAt > Math.max(MIN_STALE_MS, 3 * target.refreshMs)
  }

  /** The numeric address of the game server. The address is cached, so that the host name is not resolved for every query. */
  const resolveUpstream = Effect.suspend((): Effect.Effect<Address, Unresolved> => {
    const { timeoutMs, upstream } = target
    if (resolved !== undefined && timing.now() - resolved.at < NAME_CACHE_MS) return Effect.succeed(resolved.address)
    return Effect.map(lookUp(datagrams.resolve, upstream, timeoutMs, timing), ({ address, family }) => {
      resolved = { address: { host: address, port: upstream.port, family }, at: timing.now() }
      return resolved.address
    })
  })

  /** Runs an exchange with the server, and adds its datagrams to `sent`. */
  const exchangeWith = <A, X extends Exchange<A> & { readonly sent: number }>(make: (roundTrip: RoundTrip) => X) =>
    Effect.gen(function* () {
      let exchange: X | undefined
      const result = yield* resolveUpstream.pipe(
        Effect.tap(({ host }) => Effect.sync(() => (cache.address = host))),
        Effect.flatMap((address) =>
          client.run<A, never>(address, (roundTrip) => (exchange = make(roundTrip)), { timeoutMs: target.timeoutMs })
        ),
        Effect.result
      )
      sent += exchange?.sent ?? 0
      return { exchange, result }
    })

  const query = Effect.fnUntraced(function* <P extends Part>(part: P) {
    const info = cache.kept("info")?.messages.at(-1)
    const { exchange, result } = yield* exchangeWith<Value<P>, ObservedExchange<P>>(
      (roundTrip) => new ObservedExchange(part, settings, roundTrip, challenge, info)
    )
    challenge = exchange?.cachedChallenge
    if (exchange === undefined || Result.isFailure(result)) {
      failed[part]++
      return result
    }
    const { messages, oversize } = exchange
    answered[part]++
    const takenAt = origin.takenAt(part, timing.now())
    if (takenAt !== undefined) cache.keep(part, messages, takenAt)
    if (oversize !== undefined && !sameOversize(oversize, cache.oversize)) cache.oversize = oversize
    return result
  })

  const ageSettings = { ...settings, timeoutMs: Math.min(target.timeoutMs, AGE_TIMEOUT_MS), retries: 2 }
  /** Requests the ages of the upstream's replies. Returns whether the upstream replied. */
  const requestAges = Effect.gen(function* () {
    const requestedAt = timing.now()
    const { result } = yield* exchangeWith<Ages | "none", QueryExchange<Ages | "none">>(
      (roundTrip) => new QueryExchange(ageQuery, ageSettings, roundTrip)
    )
    if (Result.isFailure(result)) {
      agePace.failed(requestedAt)
      return false
    }
    agePace.answered(requestedAt, requestedAt, AGE_INTERVAL_MS)
    origin.note(result.success, requestedAt)
    return true
  })

  /** Queries the players or the rules if they are due. Returns whether the server replied. */
  const requestList = Effect.fnUntraced(function* (part: "players" | "rules") {
    const pace = paces[part]
    const begun = timing.now()
    if (!pace.isDue(begun)) return false
    if (Result.isFailure(yield* query(part))) {
      pace.failed(begun)
      return false
    }
    const { takenAt = begun } = cache.kept(part) ?? {}
    pace.answered(begun, takenAt, part === "rules" ? target.rulesRefreshMs : target.refreshMs)
    return true
  })

  /**
   * Queries the players if they are due. Some engines send no player list while the server is empty or has a password. If such a server
   * does not reply, the old list is removed from the cache.
   */
  const requestPlayers = Effect.fnUntraced(function* (info: Replies["info"][number] | undefined) {
    const isPrivate = info !== undefined && (info.players === 0 || info.passwordProtected)
    if (info !== undefined && isPrivate !== wasPrivate) {
      wasPrivate = isPrivate
      paces.players.hasten()
    }
    const isAnswered = yield* requestList("players")
    if (isPrivate && paces.players.isFailing) cache.forget("players")
    return isAnswered
  })

  const cycle = Effect.gen(function* () {
    const { isProxy } = origin
    // Request the ages before the replies. If the ages were requested after the replies, the calculated age of a reply could be lower than
    // its actual age.
    const isDated = isProxy && (yield* requestAges)
    const info = yield* query("info")
    if (Result.isFailure(info)) {
      failure = info.failure.message
      isAnswering = false
      if (ABSENT.has(info.failure._tag)) {
        // The host name may have a new address, and a proxy may be at this address.
        resolved = undefined
        agePace.hasten()
        return
      }
    }
    if (isProxy && !isDated) origin.missed()
    const players = yield* requestPlayers(Result.isSuccess(info) ? info.success : undefined)
    const rules = yield* requestList("rules")
    // Even if the INFO reply is malformed, the server may reply to the other queries.
    isAnswering = Result.isSuccess(info) || players || rules
    // If it is unknown whether the upstream is a proxy, send the age request last. If the upstream is a game server, the request may time
    // out and would delay the queries after it.
    if (!isProxy && agePace.isDue(timing.now())) yield* requestAges
  })

  // `lastState` is `undefined` before the first cycle. Therefore `onState` is called after the first cycle, even if the server has not
  // replied.
  let lastState: UpstreamState | undefined
  const reportState = (): void => {
    const now = state()
    if (now !== lastState) onState(now, now === "fresh" ? undefined : isAnswering ? ECHO : failure)
    lastState = now
  }

  /** Runs cycles until it is interrupted: at most one cycle per interval, and fewer cycles if packet loss is high. */
  const run = Effect.gen(function* () {
    const budget = new Budget(target.refreshMs, timing.now())
    while (true) {
      const begun = timing.now()
      const sentBefore = sent
      yield* cycle
      reportState()
      const pauseMs = budget.spend(sent - sentBefore, timing.now())
      yield* Effect.sleep(Math.max(pauseMs, begun + target.refreshMs - timing.now()))
    }
  })
  const counters = (): RefreshCounters => ({ answered: { ...answered }, failed: { ...failed }, sent })
  return { state, run, counters }
})
