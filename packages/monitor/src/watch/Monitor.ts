/**
 * Watches the targets of a plan: gives each its turn, takes in what comes of it, and keeps that in the store. However many read what it
 * knows, the game servers are asked no more often.
 *
 * @module
 */
import { type Address, parseAddress, type ScanResult } from "@sourcewire/core"
import { currentTiming, scanBatches } from "@sourcewire/core/machines"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Plan, Way } from "../config/Config.ts"
import { firstTurn, intervalsUntilTurn, nextTurn } from "../schedule/rhythm.ts"
import { Schedule } from "../schedule/Schedule.ts"
import { sliceOf } from "../store/slices.ts"
import { type Change, Store, type StoreFailed } from "../store/Store.ts"
import { Keeper } from "./Keeper.ts"
import { observe } from "./observe.ts"
import { Watched } from "./Watched.ts"

/** What has come since the last time, once a second. */
export interface News {
  readonly changes: ReadonlyArray<Change>
  /** Targets that were asked. */
  readonly updated: ReadonlyArray<Watched>
}

/** Numbers about the monitor itself. */
export interface MonitorCounters {
  asked: number
  answered: number
  /** Turns of which nothing is known, since a fault of this machine kept the question from going out. */
  unsent: number
}

/** Something that the operator may want to know. */
export interface MonitorEvent {
  readonly level: "info" | "warn" | "error"
  readonly event: string
  readonly message: string
}

/** How a monitor is started. */
export interface MonitorOptions {
  readonly plan: Plan
  /** Hears what the operator may want to know. */
  readonly onEvent?: (event: MonitorEvent) => void
  /** Most targets in flight per way of asking; 1000 unless given. */
  readonly concurrency?: number
}

/** A running monitor: what it knows of its targets, and how it does. */
export class Monitor extends Context.Service<
  Monitor,
  {
    /** By number. */
    readonly targets: ReadonlyMap<number, Watched>
    readonly find: (address: string) => Watched | undefined
    readonly plan: () => Plan
    readonly counters: Readonly<MonitorCounters>
    /** How the store does. */
    readonly keeper: Keeper
    /** Targets whose turn has come and that have not been asked yet. */
    readonly waiting: () => number
    /** Somebody looks at a target: if its last turn is longer ago than its interval, it is asked at once. */
    readonly look: (target: Watched) => void
    /** Calls `listener` with what has come, once a second; the result ends that. */
    readonly subscribe: (listener: (news: News) => void) => () => void
    /** Watches what another plan says. */
    readonly follow: (plan: Plan) => Effect.Effect<void, StoreFailed>
  }
>()("@sourcewire/monitor/Monitor") {}

/** Of two targets with one address only one is asked at a time; the other soon after, in ms. */
const AGAIN_MS = 1000

const keyOf = ({ query, retries, timeoutMs }: Way): string => `${query} ${timeoutMs} ${retries}`

/** Starts a monitor, for the life of the scope. */
export const makeMonitor = Effect.fnUntraced(function* (options: MonitorOptions) {
  const store = yield* Store
  const timing = yield* currentTiming
  const wall = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<Datagrams>())
  const startedAt = wall.currentTimeMillisUnsafe() - timing.now()
  /** Like the time of day when the monitor was started, and never set back. */
  const clock = (): number => startedAt + timing.now()
  const onEvent = options.onEvent ?? (() => undefined)
  const keeper = new Keeper(store, onEvent)
  const targets = new Map<number, Watched>()
  const byAddress = new Map<string, Watched>()
  /** By way of asking. */
  const schedules = new Map<string, Schedule<Watched>>()
  const listeners = new Set<(news: News) => void>()
  const counters: MonitorCounters = { asked: 0, answered: 0, unsent: 0 }
  let news: { changes: Array<Change>; updated: Set<Watched> } = { changes: [], updated: new Set() }
  let plan: Plan = options.plan
  let lastId = 0

  const scheduleOf = (target: Watched): Schedule<Watched> => schedules.get(keyOf(target.group.way))!

  const scheduleNext = (target: Watched): void => {
    const { group, known, phase } = target
    const pause = (intervalsUntilTurn(known.failures, group.downAfter) - 1) * group.intervalMs
    scheduleOf(target).put(target, nextTurn(phase, group.intervalMs, clock() + pause))
  }

  const onResult = (result: ScanResult<"info" | "all">): void => {
    const target = result.target as Watched
    if (!target.isWatched) return
    const at = wall.currentTimeMillisUnsafe()
    const { changes, finished, isUnsent } = observe(target, result, at)
    if (isUnsent) counters.unsent++
    else counters.asked++
    if (result._tag === "Answered") counters.answered++
    for (const change of changes) {
      lastId = Math.max(lastId + 1, at * 1000)
      const numbered = { id: lastId, target: target.id, ...change }
      keeper.add(numbered)
      news.changes.push(numbered)
    }
    if (finished !== undefined) keeper.finish(target, finished)
    keeper.touch(target)
    news.updated.add(target)
    scheduleNext(target)
  }

  const startAsking = (way: Way): Schedule<Watched> => {
    const schedule = new Schedule<Watched>(timing, clock)
    const scanning = scanBatches(schedule, way.query, {
      timeoutMs: way.timeoutMs,
      retries: way.retries,
      concurrency: options.concurrency,
      recurring: true,
      onDuplicate: (target) => schedule.put(target as Watched, clock() + AGAIN_MS)
    }).pipe(
      Stream.runForEach((batch) => Effect.sync(() => batch.forEach(onResult))),
      Effect.catchCause((cause) =>
        Effect.sync(() =>
          onEvent({ level: "error", event: "scan", message: `Nothing is asked any more: ${String(cause)}` })
        )
      )
    )
    fork(Effect.forkIn(scanning, scope, { startImmediately: true }))
    return schedule
  }

  const follow = Effect.fnUntraced(function* (next: Plan) {
    const where = new Map<string, Address>()
    for (const address of next.targets.keys()) where.set(address, Result.getOrThrow(parseAddress(address)))
    const wanted = [...next.targets].map(([address, { labels, name }]) => ({
      address,
      labels,
      group: name,
      slice: sliceOf(where.get(address)!)
    }))
    const now = wall.currentTimeMillisUnsafe()
    const stored = yield* store.enlist(wanted, now)
    for (const target of targets.values()) {
      target.isWatched = false
      // Wherever it stands in a schedule, it is no longer found there.
      target.tick = -1
    }
    targets.clear()
    const ways = new Map([...next.targets.values()].map(({ way }) => [keyOf(way), way]))
    for (const [key, schedule] of schedules) {
      if (ways.has(key)) continue
      schedule.close()
      schedules.delete(key)
    }
    for (const [key, way] of ways) if (!schedules.has(key)) schedules.set(key, startAsking(way))
    const before = new Map(byAddress)
    byAddress.clear()
    for (const [address, group] of next.targets) {
      const { id, known } = stored.get(address)!
      const target = new Watched(id, address, where.get(address)!, group, before.get(address)?.known ?? known)
      targets.set(id, target)
      byAddress.set(address, target)
      const turn = firstTurn(target.phase, group.intervalMs, target.known.askedAt, clock(), next.targets.size)
      scheduleOf(target).put(target, turn)
    }
    plan = next
  })

  const tell = (): void => {
    const { changes, updated } = news
    if (changes.length === 0 && updated.size === 0) return
    news = { changes: [], updated: new Set() }
    for (const listener of listeners) listener({ changes, updated: [...updated] })
  }

  yield* store.claim(crypto.randomUUID())
  const [newest] = yield* store.changes({ limit: 1 })
  lastId = newest?.id ?? 0
  yield* Effect.addFinalizer(() => keeper.flush)
  yield* follow(plan)
  yield* Effect.addFinalizer(() => Effect.sync(() => schedules.forEach((schedule) => schedule.close())))
  yield* Effect.forkScoped(
    Effect.forever(Effect.sleep("1 second").pipe(Effect.andThen(Effect.sync(tell)), Effect.andThen(keeper.flush)))
  )
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.sleep("1 minute").pipe(
        Effect.andThen(Effect.suspend(() => keeper.prune(plan.retention, wall.currentTimeMillisUnsafe()))),
        Effect.andThen(Effect.sleep("59 minutes"))
      )
    )
  )

  return Monitor.of({
    targets,
    find: (address) => byAddress.get(address),
    plan: () => plan,
    counters,
    keeper,
    waiting: () => [...schedules.values()].reduce((sum, { waiting }) => sum + waiting, 0),
    look: (target) => {
      const { askedAt } = target.known
      const isDue = target.tick < 0
      if (isDue || !target.isWatched || (askedAt !== undefined && clock() - askedAt < target.group.intervalMs)) return
      scheduleOf(target).put(target, clock())
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow
  })
})

/** The monitor as a layer. */
export const layer = (options: MonitorOptions): Layer.Layer<Monitor, StoreFailed, Store | Datagrams> =>
  Layer.effect(
    Monitor,
    makeMonitor(options) as Effect.Effect<typeof Monitor.Service, StoreFailed, Store | Datagrams | Scope.Scope>
  )
