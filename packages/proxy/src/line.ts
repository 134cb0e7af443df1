/** A line: one server behind a proxy, with its front (the socket for clients), its cache, and the fiber that refreshes the cache. */
import { type Client, formatAddress } from "@sourcewire/core"
import { currentTiming } from "@sourcewire/core/engine"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { RateLimiter } from "@sourcewire/server"
import { ChallengeIssuer, compress } from "@sourcewire/server/machines"
import { type Part, PARTS, type Replies, type SavedUpstream, UpstreamCache } from "./cache.ts"
import type { Front, FrontCounters } from "./front.ts"
import { makeRefresher, type RefreshCounters, type UpstreamState } from "./refresher.ts"
import type { ProxyTarget } from "./settings.ts"
import { Shield, type ShieldTools } from "./shield.ts"

/** An event for the log. Events are caused by game servers and the operator, never by clients. */
export type ProxyEvent = { readonly upstream: string; readonly listening: string } & (
  | { readonly _tag: "Listening" }
  | { readonly _tag: "Closed" }
  /** The state of the game server has changed. If the stored replies are not fresh, `reason` explains why. */
  | { readonly _tag: "State"; readonly state: UpstreamState; readonly reason?: string }
  /** A reply of the game server cannot be encoded and is not served. */
  | { readonly _tag: "Unwritable"; readonly reason: string }
)

/** The state of one server behind a proxy. */
export interface ProxyStatus {
  /** The configured game server, with its port. */
  readonly upstream: string
  /** The numeric address on which the proxy replies for the game server. */
  readonly listening: string
  readonly state: UpstreamState
  /** Age of each reply in ms; absent if there is no reply. */
  readonly ageMs: { readonly [P in Part]?: number }
  /**
   * The queries to which the proxy does not reply now. The game server never replied to such a query, or its last reply to the query is
   * older than `maxStaleMs`.
   */
  readonly notServed: ReadonlyArray<Part>
  /** The last INFO message, regardless of its age. If the server sends INFO in two dialects, this is the message that arrived last. */
  readonly info?: Replies["info"][number]
  readonly front: FrontCounters
  readonly back: RefreshCounters
}

export interface Line {
  readonly target: ProxyTarget
  readonly upstream: string
  readonly listening: string
  readonly cache: UpstreamCache
  readonly status: () => ProxyStatus
  /**
   * Changes the settings or the game server of this line, and keeps the front open. If the game server stays the same, the line also keeps
   * its cache.
   */
  readonly retarget: (target: ProxyTarget) => Effect.Effect<Line, never, Client | Datagrams>
}

const restored = Effect.fnUntraced(function* (upstream: string, saved: ReadonlyArray<SavedUpstream>, now: number) {
  const cache = new UpstreamCache(upstream)
  const known = saved.find((one) => one.upstream === upstream)
  if (known !== undefined) {
    const toSteady = now - (yield* Clock.currentTimeMillis)
    cache.restore(known, (time) => time + toSteady, now)
  }
  return cache
})

/**
 * Starts a line. The line queries the target's game server, and its front replies to clients in place of this game server. The line ends
 * when the scope of the front closes.
 */
export const startLine = Effect.fnUntraced(function* (
  target: ProxyTarget,
  front: Front,
  scope: Scope.Scope,
  options: { readonly saved: ReadonlyArray<SavedUpstream>; readonly onEvent: (event: ProxyEvent) => void }
) {
  const timing = yield* currentTiming
  const listening = formatAddress({ host: front.local.address, port: front.local.port })

  const start = (target: ProxyTarget, before?: { readonly line: Line; readonly tools: ShieldTools }) =>
    Effect.gen(function* () {
      const upstream = formatAddress(target.upstream)
      const cache =
        before?.line.upstream === upstream ? before.line.cache : yield* restored(upstream, options.saved, timing.now())
      // The new line uses the issuer of the previous line, so that challenges of the previous line stay valid.
      const tools: ShieldTools = {
        challenges: before?.tools.challenges ?? new ChallengeIssuer(),
        limit: target.limit === undefined ? undefined : new RateLimiter(target.limit),
        compress,
        listening,
        onError: ({ message }) => options.onEvent({ _tag: "Unwritable", upstream, listening, reason: message })
      }
      const refresher = yield* makeRefresher(target, cache, (state, reason) => {
        front.answering = shield
        const why = reason === undefined ? {} : { reason }
        options.onEvent({ _tag: "State", upstream, listening, state, ...why })
      })
      const shield = new Shield(cache, target, tools)
      const previous = front.answering
      // Until the first cycle for the new game server ends, its cache may be empty. Until this time, the front replies with the previous
      // game server's replies.
      front.answering = {
        respond: (...request) => {
          const replies = shield.respond(...request)
          return replies.length > 0 ? replies : previous.respond(...request)
        }
      }
      const refreshing = yield* Effect.forkIn(refresher.run, scope)
      const status = (): ProxyStatus => {
        const now = timing.now()
        const ageMs: { [P in Part]?: number } = {}
        for (const part of PARTS) {
          const kept = cache.kept(part)
          if (kept !== undefined) ageMs[part] = now - kept.takenAt
        }
        const info = cache.kept("info")?.messages.at(-1)
        return {
          upstream,
          listening,
          state: refresher.state(),
          ageMs,
          notServed: shield.notServed(now),
          ...(info === undefined ? {} : { info }),
          front: front.counters(),
          back: refresher.counters()
        }
      }
      const line: Line = {
        target,
        upstream,
        listening,
        cache,
        status,
        retarget: (target) => Effect.andThen(Fiber.interrupt(refreshing), start(target, { line, tools }))
      }
      return line
    })
  return yield* start(target)
})
