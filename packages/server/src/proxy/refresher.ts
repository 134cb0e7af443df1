/**
 * Keeps a cache true: asks one game server at its own steady pace, whatever goes on at the front, and notes how that went.
 *
 * A cycle asks for INFO. Only a server that is there is asked for the rest, and what it does not answer ever more seldom.
 *
 * @module
 */
import {
  type Address,
  Client,
  type ClientError,
  Datagrams,
  type KeptChallenge,
  settingsOf,
  Timing,
  Unresolved
} from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Oversize } from "../Profile.ts"
import type { Part, Replies, UpstreamCache } from "./cache.ts"
import { type Observation, ObservedExchange } from "./observe.ts"
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

/** What a refresher works with. */
export interface RefresherOptions {
  readonly target: ProxyTarget
  readonly cache: UpstreamCache
  /** Told after the first cycle and when the state has changed; `failure` says why the server last did not answer. */
  readonly onState: (state: UpstreamState, failure: string | undefined) => void
}

/** How long a part that is not answered waits at most until it is asked for again, in ms. */
const MAX_BACKOFF_MS = 60_000

/** A name is looked up again after this long, in ms, and when its server does not answer. */
const NAME_KEPT_MS = 60_000

/** Cycles are never quite as long as their interval: what is due within this part of one is due now. */
const DUE_SLACK = 0.5

/** Errors of INFO after which nothing else is worth a datagram. */
const ABSENT: ReadonlySet<ClientError["_tag"]> = new Set(["Timeout", "PortClosed", "SendFailed", "Unresolved"])

/** Asks one game server. */
export interface Refresher {
  readonly counters: () => RefreshCounters
  /** How it stands with the server at this moment. */
  readonly state: () => UpstreamState
  /** Asks for ever, one cycle per interval at most. */
  readonly run: Effect.Effect<never>
}

const sameOversize = (a: Oversize, b: Oversize | undefined): boolean =>
  a.how === b?.how && a.maxBytes === b.maxBytes && a.layout === b.layout && a.bzip2 === b.bzip2

/** A refresher, which asks nothing before it is run. */
export const makeRefresher = Effect.fnUntraced(function* ({ cache, onState, target }: RefresherOptions) {
  const client = yield* Client
  const datagrams = yield* Datagrams
  const timing = yield* Timing.timing
  // A target has been checked.
  const settings = yield* Effect.orDie(Effect.fromResult(settingsOf({ timeoutMs: target.timeoutMs }, undefined)))
  const answered: Record<Part, number> = { info: 0, players: 0, rules: 0 }
  const failed: Record<Part, number> = { info: 0, players: 0, rules: 0 }
  let sent = 0
  const dueAt = { players: Number.NEGATIVE_INFINITY, rules: Number.NEGATIVE_INFINITY }
  const failuresInARow = { players: 0, rules: 0 }
  let wasPrivate = false
  let isAnswering = false
  let failure: string | undefined
  let challenge: KeptChallenge | undefined
  let resolved: { readonly address: Address.Address; readonly at: number } | undefined

  const state = (): UpstreamState => {
    if (cache.isEmpty) return "starting"
    if (!cache.isFresh(timing.now(), target.maxStaleMs)) return "gone"
    return isAnswering ? "fresh" : "stale"
  }

  /** The server in numbers, so that its name is not looked up for every question. */
  const addressOf = Effect.suspend((): Effect.Effect<Address.Address, ClientError> => {
    const { upstream } = target
    if (upstream.family !== undefined) return Effect.succeed(upstream)
    if (resolved !== undefined && timing.now() - resolved.at < NAME_KEPT_MS) return Effect.succeed(resolved.address)
    const { host, port } = upstream
    const late = () => new Unresolved({ message: `The name ${host} was not resolved in time.`, host })
    return datagrams.resolve(host).pipe(
      Effect.timeoutOrElse({ duration: target.timeoutMs, orElse: () => Effect.fail(late()) }),
      Effect.map(({ address, family }) => {
        resolved = { address: { host: address, port, family }, at: timing.now() }
        return resolved.address
      })
    )
  })

  const ask = Effect.fnUntraced(function* <P extends Part>(part: P) {
    let exchange: ObservedExchange<P> | undefined
    const observation = yield* addressOf.pipe(
      Effect.flatMap((address) =>
        client.run<Observation<P>, never>(
          address,
          (roundTrip) => (exchange = new ObservedExchange(part, settings, roundTrip, challenge)),
          { timeoutMs: target.timeoutMs }
        )
      ),
      Effect.result
    )
    sent += exchange?.sent ?? 0
    challenge = exchange?.keptChallenge
    if (Result.isFailure(observation)) {
      failed[part]++
      return Result.fail(observation.failure)
    }
    const { messages, oversize } = observation.success
    answered[part]++
    cache.keep(part, messages, timing.now())
    if (oversize !== undefined && !sameOversize(oversize, cache.oversize)) cache.oversize = oversize
    return observation
  })

  /** Whether the server answered; false as well when it was not yet time to ask. */
  const askForList = Effect.fnUntraced(function* (part: "players" | "rules") {
    const begun = timing.now()
    if (begun < dueAt[part] - target.refreshMs * DUE_SLACK) return false
    if (Result.isSuccess(yield* ask(part))) {
      failuresInARow[part] = 0
      dueAt[part] = begun + (part === "rules" ? target.rulesRefreshMs : target.refreshMs)
      return true
    }
    const backoff = Math.min(MAX_BACKOFF_MS, target.refreshMs * 2 ** Math.min(failuresInARow[part]++, 16))
    dueAt[part] = begun + Math.max(target.refreshMs, backoff)
    return false
  })

  /** Some engines do not tell who plays while nobody does or a password is wanted: a list from before is not true any more. */
  const askForPlayers = Effect.fnUntraced(function* (info: Replies["info"][number] | undefined) {
    const isPrivate = info !== undefined && (info.players === 0 || info.passwordProtected)
    if (info !== undefined && isPrivate !== wasPrivate) {
      wasPrivate = isPrivate
      dueAt.players = Number.NEGATIVE_INFINITY
    }
    const isAnswered = yield* askForList("players")
    if (isPrivate && failuresInARow.players > 0) cache.forget("players")
    return isAnswered
  })

  const cycle = Effect.gen(function* () {
    const info = yield* ask("info")
    if (Result.isFailure(info)) {
      failure = info.failure.message
      isAnswering = false
      if (ABSENT.has(info.failure._tag)) {
        // Its name may stand for another machine by now.
        resolved = undefined
        return
      }
    }
    const players = yield* askForPlayers(Result.isSuccess(info) ? info.success.messages.at(-1) : undefined)
    const rules = yield* askForList("rules")
    // A server whose INFO is broken can still be one with players.
    isAnswering = Result.isSuccess(info) || players || rules
  })

  // Told after the first cycle whatever it brought: also that a server has not answered.
  let lastState: UpstreamState | undefined
  const tellState = (): void => {
    const now = state()
    if (now !== lastState) onState(now, now === "fresh" ? undefined : failure)
    lastState = now
  }

  const run = Effect.gen(function* () {
    while (true) {
      const begun = timing.now()
      yield* cycle
      tellState()
      yield* Effect.sleep(Math.max(0, begun + target.refreshMs - timing.now()))
    }
  })
  const refresher: Refresher = {
    state,
    run,
    counters: () => ({ answered: { ...answered }, failed: { ...failed }, sent })
  }
  return refresher
})
