/**
 * Keeps a cache true: asks one game server at its own steady pace, whatever goes on at the front, and notes how that went.
 *
 * A cycle asks for INFO. Only a server that is there is asked for the rest, and what it does not answer ever more seldom.
 */
import { type Address, type ClientError, type Unresolved, Client } from "@sourcewire/core"
import {
  type Exchange,
  type KeptChallenge,
  type RoundTrip,
  currentTiming,
  lookUp,
  QueryExchange,
  settingsOf
} from "@sourcewire/core/machines"
import { Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"
import { type Ages, ageQuery } from "./age.ts"
import type { Part, Replies, UpstreamCache } from "./cache.ts"
import { ObservedExchange, type Value } from "./observe.ts"
import { Origin } from "./origin.ts"
import { Pace } from "./pace.ts"
import type { ProxyTarget } from "./settings.ts"

/**
 * How it stands with a game server.
 *
 * - `starting`: it has never answered.
 * - `fresh`: it answered when it was last asked.
 * - `stale`: it did not, or what is known comes from a file; the last answers are still given.
 * - `gone`: they have become too old.
 */
export type UpstreamState = "starting" | "fresh" | "stale" | "gone"

/** Questions to a game server. */
export interface RefreshCounters {
  readonly answered: Readonly<Record<Part, number>>
  readonly failed: Readonly<Record<Part, number>>
  /** Datagrams sent to it, challenges and repetitions included. */
  readonly sent: number
}

/** A name is looked up again after this long, in ms, and when its server does not answer. */
const NAME_KEPT_MS = 60_000

/** A question that game servers need not know may take as long as this, in ms. */
const AGE_TIMEOUT_MS = 1000

/** What is no proxy is asked once in so many ms whether it has become one. */
const AGE_INTERVAL_MS = 60_000

/** It is asked first after so many cycles, but within so many ms: the beginning belongs to the answers that people wait for. */
const CYCLES_BEFORE_AGE = 3
const MAX_MS_BEFORE_AGE = 5000

/** Why answers of another proxy are not fresh. */
const ECHO =
  "What answers there is a proxy that has not heard of the game server for long; perhaps they ask each other."

/** Older answers of a proxy, in ms, are stale: it has not heard of the game server for several of its own cycles. */
const MIN_STALE_MS = 15_000

/** Errors of INFO after which nothing else is worth a datagram. */
const ABSENT: ReadonlySet<ClientError["_tag"]> = new Set(["Timeout", "PortClosed", "SendFailed", "Unresolved"])

const sameOversize = (a: Oversize, b: Oversize | undefined): boolean =>
  a.how === b?.how && a.maxBytes === b.maxBytes && a.layout === b.layout && a.bzip2 === b.bzip2

/**
 * A refresher, which asks nothing before it is run. `onState` is told after the first cycle and when the state has changed; `failure`
 * says why the server last did not answer.
 */
export const makeRefresher = Effect.fnUntraced(function* (
  target: ProxyTarget,
  cache: UpstreamCache,
  onState: (state: UpstreamState, failure: string | undefined) => void
) {
  const client = yield* Client
  const datagrams = yield* Datagrams
  const timing = yield* currentTiming
  // A target has been checked.
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

  /** Another proxy answers in the game server's place, and only repeats what it knew. */
  const isEcho = (): boolean => {
    const { takenAt = Number.NEGATIVE_INFINITY } = cache.kept("info") ?? {}
    return origin.isProxy && timing.now() - takenAt > Math.max(MIN_STALE_MS, 3 * target.refreshMs)
  }

  /** The server in numbers, so that its name is not looked up for every question. */
  const addressOf = Effect.suspend((): Effect.Effect<Address, Unresolved> => {
    const { timeoutMs, upstream } = target
    if (resolved !== undefined && timing.now() - resolved.at < NAME_KEPT_MS) return Effect.succeed(resolved.address)
    return Effect.map(lookUp(datagrams.resolve, upstream, timeoutMs, timing), ({ address, family }) => {
      resolved = { address: { host: address, port: upstream.port, family }, at: timing.now() }
      return resolved.address
    })
  })

  /** One exchange with the server; `sent` counts what it takes. */
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
  /** Whether the server answered. */
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

  /** Whether the server answered; false as well when it was not yet time to ask. */
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

  /** Some engines do not tell who plays while nobody does or a password is wanted: a list from before is not true any more. */
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
    // Before the answers that the ages are of, which must not seem younger than they are.
    const isDated = isProxy && (yield* askForAges)
    const info = yield* ask("info")
    if (Result.isFailure(info)) {
      failure = info.failure.message
      isAnswering = false
      if (ABSENT.has(info.failure._tag)) {
        // Its name may stand for another machine by now, and its address for a proxy.
        resolved = undefined
        agePace.hasten()
        return
      }
    }
    if (isProxy && !isDated) origin.missed()
    const players = yield* askForPlayers(Result.isSuccess(info) ? info.success : undefined)
    const rules = yield* askForList("rules")
    // A server whose INFO is broken can still be one with players.
    isAnswering = Result.isSuccess(info) || players || rules
    // After everything else: most game servers do not know the question, and that takes its time.
    if (!isProxy && agePace.isDue(timing.now())) yield* askForAges
  })

  // Told after the first cycle whatever it brought: also that a server has not answered.
  let lastState: UpstreamState | undefined
  const tellState = (): void => {
    const now = state()
    if (now !== lastState) onState(now, now === "fresh" ? undefined : isAnswering ? ECHO : failure)
    lastState = now
  }

  /** Asks for ever, one cycle per interval at most. */
  const run = Effect.gen(function* () {
    while (true) {
      const begun = timing.now()
      yield* cycle
      tellState()
      yield* Effect.sleep(Math.max(0, begun + target.refreshMs - timing.now()))
    }
  })
  const counters = (): RefreshCounters => ({ answered: { ...answered }, failed: { ...failed }, sent })
  return { state, run, counters }
})
