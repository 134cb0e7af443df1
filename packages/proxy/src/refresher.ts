/**
 * Refreshes a cache: queries one game server at a steady pace, whatever happens at the front, and records the results.
 *
 * A cycle queries INFO. Only if the server replies, the other parts are queried; parts without a reply are queried less and less often.
 */
import { type Address, type ClientError, type Unresolved, Client } from "@sourcewire/core"
import { type Exchange, type RoundTrip, currentTiming } from "@sourcewire/core/engine"
import { type KeptChallenge, QueryExchange, settingsOf } from "@sourcewire/core/query"
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
 * - `starting`: it has never replied.
 * - `fresh`: it replied to the last query.
 * - `stale`: it did not, or the cache comes from a file; the last replies are still served.
 * - `gone`: they are too old.
 */
export type UpstreamState = "starting" | "fresh" | "stale" | "gone"

/** Counters of queries to a game server. */
export interface RefreshCounters {
  readonly answered: Readonly<Record<Part, number>>
  readonly failed: Readonly<Record<Part, number>>
  /** Datagrams sent to it, with challenges and retransmissions. */
  readonly sent: number
}

/** A host name is resolved again after this long, in ms, and when its server does not reply. */
const NAME_KEPT_MS = 60_000

/** Time limit for a request that game servers may not know, in ms. */
const AGE_TIMEOUT_MS = 1000

/** An upstream that is not a proxy is asked at this interval, in ms, whether it has become one. */
const AGE_INTERVAL_MS = 60_000

/**
 * The first such request is sent after this number of cycles, but within this many ms: at first, the replies that clients need are more
 * important.
 */
const CYCLES_BEFORE_AGE = 3
const MAX_MS_BEFORE_AGE = 5000

/** Why replies of another proxy are not fresh. */
const ECHO =
  "The upstream is a proxy whose game server has not responded for a long time. The proxies may query each other."

/** Older replies of a proxy, in ms, are stale: it had no reply of the game server for several of its own cycles. */
const MIN_STALE_MS = 15_000

/** Errors of INFO after which no other query is sent. */
const ABSENT: ReadonlySet<ClientError["_tag"]> = new Set(["Timeout", "PortClosed", "SendFailed", "Unresolved"])

const sameOversize = (a: Oversize, b: Oversize | undefined): boolean =>
  a.how === b?.how && a.maxBytes === b.maxBytes && a.layout === b.layout && a.bzip2 === b.bzip2

/**
 * A refresher, which sends nothing until it runs. `onState` is called after the first cycle and when the state has changed; `failure` is
 * why the server did not reply.
 */
export const makeRefresher = Effect.fnUntraced(function* (
  target: ProxyTarget,
  cache: UpstreamCache,
  onState: (state: UpstreamState, failure: string | undefined) => void
) {
  const client = yield* Client
  const datagrams = yield* Datagrams
  const timing = yield* currentTiming
  // The target has been checked.
  const settings = yield* Effect.orDie(Effect.fromResult(settingsOf({ timeoutMs: target.timeoutMs }, undefined)))
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
  let challenge: KeptChallenge | undefined
  let resolved: { readonly address: Address; readonly at: number } | undefined

  const state = (): UpstreamState => {
    if (cache.isEmpty) return "starting"
    if (!cache.isFresh(timing.now(), target.maxStaleMs)) return "gone"
    return isAnswering && !isEcho() ? "fresh" : "stale"
  }

  /** The upstream is another proxy, which only repeats its cache. */
  const isEcho = (): boolean => {
    const { takenAt = Number.NEGATIVE_INFINITY } = cache.kept("info") ?? {}
    return origin.isProxy && timing.now() - takenAt > Math.max(MIN_STALE_MS, 3 * target.refreshMs)
  }

  /** The numeric address, so that the host name is not resolved for every query. */
  const addressOf = Effect.suspend((): Effect.Effect<Address, Unresolved> => {
    const { timeoutMs, upstream } = target
    if (resolved !== undefined && timing.now() - resolved.at < NAME_KEPT_MS) return Effect.succeed(resolved.address)
    return Effect.map(lookUp(datagrams.resolve, upstream, timeoutMs, timing), ({ address, family }) => {
      resolved = { address: { host: address, port: upstream.port, family }, at: timing.now() }
      return resolved.address
    })
  })

  /** One exchange with the server; `sent` counts its datagrams. */
  const exchangeWith = <A, X extends Exchange<A> & { readonly sent: number }>(make: (roundTrip: RoundTrip) => X) =>
    Effect.gen(function* () {
      let exchange: X | undefined
      const result = yield* addressOf.pipe(
        Effect.tap(({ host }) => Effect.sync(() => (cache.address = host))),
        Effect.flatMap((address) =>
          client.run<A, never>(address, (roundTrip) => (exchange = make(roundTrip)), { timeoutMs: target.timeoutMs })
        ),
        Effect.result
      )
      sent += exchange?.sent ?? 0
      return { exchange, result }
    })

  const ask = Effect.fnUntraced(function* <P extends Part>(part: P) {
    const info = cache.kept("info")?.messages.at(-1)
    const { exchange, result } = yield* exchangeWith<Value<P>, ObservedExchange<P>>(
      (roundTrip) => new ObservedExchange(part, settings, roundTrip, challenge, info)
    )
    challenge = exchange?.keptChallenge
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
  /** Whether the server replied. */
  const askForAges = Effect.gen(function* () {
    const askedAt = timing.now()
    const { result } = yield* exchangeWith<Ages | "none", QueryExchange<Ages | "none">>(
      (roundTrip) => new QueryExchange(ageQuery, ageSettings, roundTrip)
    )
    if (Result.isFailure(result)) {
      agePace.failed(askedAt)
      return false
    }
    agePace.answered(askedAt, askedAt, AGE_INTERVAL_MS)
    origin.note(result.success, askedAt)
    return true
  })

  /** Whether the server replied; also false if the query was not due yet. */
  const askForList = Effect.fnUntraced(function* (part: "players" | "rules") {
    const pace = paces[part]
    const begun = timing.now()
    if (!pace.isDue(begun)) return false
    if (Result.isFailure(yield* ask(part))) {
      pace.failed(begun)
      return false
    }
    const { takenAt = begun } = cache.kept(part) ?? {}
    pace.answered(begun, takenAt, part === "rules" ? target.rulesRefreshMs : target.refreshMs)
    return true
  })

  /** Some engines send no list while the server is empty or has a password: the old list is no longer correct. */
  const askForPlayers = Effect.fnUntraced(function* (info: Replies["info"][number] | undefined) {
    const isPrivate = info !== undefined && (info.players === 0 || info.passwordProtected)
    if (info !== undefined && isPrivate !== wasPrivate) {
      wasPrivate = isPrivate
      paces.players.hasten()
    }
    const isAnswered = yield* askForList("players")
    if (isPrivate && paces.players.isFailing) cache.forget("players")
    return isAnswered
  })

  const cycle = Effect.gen(function* () {
    const { isProxy } = origin
    // Before the replies whose ages it reports, which must not seem younger than they are.
    const isDated = isProxy && (yield* askForAges)
    const info = yield* ask("info")
    if (Result.isFailure(info)) {
      failure = info.failure.message
      isAnswering = false
      if (ABSENT.has(info.failure._tag)) {
        // Its name may have another address now, and its address may belong to a proxy.
        resolved = undefined
        agePace.hasten()
        return
      }
    }
    if (isProxy && !isDated) origin.missed()
    const players = yield* askForPlayers(Result.isSuccess(info) ? info.success : undefined)
    const rules = yield* askForList("rules")
    // A server whose INFO is broken can still have players.
    isAnswering = Result.isSuccess(info) || players || rules
    // Last, because most game servers do not know the request, and waiting takes time.
    if (!isProxy && agePace.isDue(timing.now())) yield* askForAges
  })

  // Called after the first cycle with any result, also if the server has not replied.
  let lastState: UpstreamState | undefined
  const tellState = (): void => {
    const now = state()
    if (now !== lastState) onState(now, now === "fresh" ? undefined : isAnswering ? ECHO : failure)
    lastState = now
  }

  /** Runs cycles until it is interrupted, at most one per interval, and fewer when many datagrams are lost. */
  const run = Effect.gen(function* () {
    const budget = new Budget(target.refreshMs, timing.now())
    while (true) {
      const begun = timing.now()
      const sentBefore = sent
      yield* cycle
      tellState()
      const pauseMs = budget.spend(sent - sentBefore, timing.now())
      yield* Effect.sleep(Math.max(pauseMs, begun + target.refreshMs - timing.now()))
    }
  })
  const counters = (): RefreshCounters => ({ answered: { ...answered }, failed: { ...failed }, sent })
  return { state, run, counters }
})
