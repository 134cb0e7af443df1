/**
 * Watches the targets of a plan: gives each its turn, takes in what comes of it, and keeps that in the store. However many read what it
 * knows, the game servers are asked no more often.
 */
import type { ScanResult } from "@sourcewire/core"
import { currentTiming, ScanBudget, scanBatches } from "@sourcewire/core/machines"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { InvalidConfig, type Plan, type Way } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { type Judged, judging } from "../locations/judging.ts"
import { Locations } from "../locations/Locations.ts"
import type { Schedule } from "../schedule/Schedule.ts"
import { Store, type StoreFailed, StoreTaken } from "../store/Store.ts"
import { timely } from "../store/timely.ts"
import { Bulletin } from "./Bulletin.ts"
import { makeFollowing, placesIn } from "./following.ts"
import { makeHeldSlices } from "./HeldSlices.ts"
import { type Keeper, makeKeeper } from "./Keeper.ts"
import { Monitor, type MonitorCounters, type MonitorOptions } from "./Monitor.ts"
import { observe, type Observation, takeIn } from "./observe.ts"
import { makeTurns, type Turns } from "./Turns.ts"
import { makeUnderWay } from "./UnderWay.ts"
import { type Known, unknown, Watched } from "./Watched.ts"

/** Of two targets with one address only one is asked at a time; the other soon after, in ms. */
const AGAIN_MS = 1000

/** What comes of turns is taken in together. */
const BATCH_MS = 40

/** So often what waits is written; oftener where others go on with what is written when a machine dies. */
const WRITE = "1 second"
const SHARED_WRITE = "250 millis"

/** A process that notices for so long that no time passes was stopped; it looks so often. */
const ASLEEP_MS = 2000
const LOOK = "500 millis"
/** So long it waits for the store to say what is still ours; then it asks on, as where the store is away. */
const WAKING = "10 seconds"

/** So old what others know may be, where all of it is shown. */
const REFRESH_MS = 5000

/** So long somebody's wish counts that a target be asked. */
const WANTED_MS = 10_000

/** So long somebody who takes a slice of ours waits for what we write of it, at most. */
const LAST_WRITE = "1500 millis"
/** What leaves within this time leaves together. */
const TOGETHER = "20 millis"

/** Does something again and again, for the life of the scope, after a pause each time. */
const every = <E, R>(pause: Duration.Input, work: Effect.Effect<void, E, R>) =>
  Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pause), work)))

/** Starts a monitor, for the life of the scope. */
export const makeMonitor = Effect.fnUntraced(function* (options: MonitorOptions) {
  const ownership = yield* Ownership
  const store = ownership.isShared ? timely(yield* Store, options.answerMs) : yield* Store
  const locations = yield* Locations
  const timing = yield* currentTiming
  const wall = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<Datagrams>())
  const startedAt = wall.currentTimeMillisUnsafe() - timing.now()
  /** Like the time of day when the monitor was started, and never set back. */
  const clock = (): number => startedAt + timing.now()
  const { budget = new ScanBudget(), onEvent = () => undefined } = options
  const targets = new Map<number, Watched>()
  const byAddress = new Map<string, Watched>()
  const bulletin = new Bulletin()
  const counters: MonitorCounters = { asked: 0, answered: 0, unsent: 0 }
  let plan!: Plan
  let shortestMs = 0
  let lastId = 0

  const taken = Deferred.makeUnsafe<never, StoreTaken>()
  const keeper: Keeper = makeKeeper(store, onEvent, (slices) => {
    const message = "Another monitor has opened this store, and goes on in our place."
    if (ownership.isShared) drop(new Set(slices))
    else Deferred.doneUnsafe(taken, Effect.fail(new StoreTaken({ message })))
  })
  keeper.isLively = ownership.isShared
  const held = makeHeldSlices({
    clock,
    toldAt: () => keeper.wroteAt,
    isAway: () => keeper.trouble !== undefined,
    graceMs: options.graceMs
  })

  const isOurs = (target: Watched): boolean => target.isWatched && held.has(target.slice)
  const targetsOf = (slices: ReadonlySet<number>): ReadonlyArray<Watched> =>
    [...targets.values()].filter(({ slice }) => slices.has(slice))

  const turns: Turns = makeTurns(timing, clock, locations, {
    onTaken: (target) => underWay.begin(target),
    isWanted: (target) => {
      if (!isOurs(target)) return false
      const waitsUntil = held.waitsUntil(target.slice)
      if (waitsUntil !== undefined) turns.soon(target, waitsUntil - clock())
      return waitsUntil === undefined
    },
    isHeld: () => isHeld()
  })

  /** When what others know was last read. */
  let refreshedAt = Number.NEGATIVE_INFINITY

  /** What others learn of these is read when somebody looks. */
  const drop = (slices: ReadonlySet<number>): void => {
    if (slices.size === 0) return
    held.drop(slices)
    keeper.forget(slices)
    for (const target of targetsOf(slices)) {
      // Wherever it stands in a schedule, it is no longer found there.
      target.tick = -1
      target.known = unknown()
      target.stored = undefined
      bulletin.forget(target)
    }
    refreshedAt = Number.NEGATIVE_INFINITY
  }

  /** What others have learned counts more than what we knew; what nobody else had goes on. */
  const take = Effect.fnUntraced(function* (slices: ReadonlyArray<number>) {
    const foreign = new Set(yield* store.claim(ownership.owner, slices))
    const fresh = new Set(slices.filter((slice) => foreign.has(slice) || !held.has(slice)))
    for (const slice of slices) held.take(slice)
    if (fresh.size === 0) return
    const known = yield* Effect.onError(store.known("slices", [...fresh]), () => Effect.sync(() => drop(fresh)))
    // What has come meanwhile too: it was compared with what we knew before.
    keeper.forget(fresh)
    const some = targetsOf(fresh)
    for (const target of some) {
      target.known = known.get(target.id) ?? unknown()
      target.stored = target.known.last?.answer
    }
    turns.first(some)
  }, keeper.between)

  let lastWrite: Fiber.Fiber<void> | undefined
  /** What waits is written before somebody takes slices that leave; once for all that leave together. */
  const writeLast = Effect.gen(function* () {
    yield* Effect.sleep(TOGETHER)
    lastWrite = undefined
    yield* keeper.flush
  })

  /** What is known of it is written before somebody takes it, as far as the store can be written now. */
  const leave = Effect.fnUntraced(function* (slice: number) {
    if (held.size() === 0) return
    held.leave(slice)
    lastWrite ??= yield* Effect.forkIn(writeLast, scope)
    yield* Effect.timeoutOption(Fiber.await(lastWrite), LAST_WRITE)
  })

  const refresh = Effect.fnUntraced(function* (some?: ReadonlyArray<Watched>) {
    if (some === undefined) {
      if (clock() - refreshedAt < REFRESH_MS) return
      refreshedAt = clock()
    }
    const others = (some ?? [...targets.values()]).filter((target) => !held.has(target.slice))
    if (others.length === 0) return
    const numbers = some === undefined ? new Set(others.map(({ slice }) => slice)) : others.map(({ id }) => id)
    const stored = yield* store.known(some === undefined ? "slices" : "targets", [...numbers])
    // Some may have become ours meanwhile.
    for (const target of others) if (!held.has(target.slice)) target.known = stored.get(target.id) ?? unknown()
  })

  const keep = (target: Watched, { changes, finished }: Omit<Observation, "isUnsent">, at: number): void => {
    for (const change of changes) {
      lastId = Math.max(lastId + 1, at * 1000)
      const numbered = { id: lastId, target: target.id, ...change }
      keeper.add(target, numbered)
      bulletin.add(numbered)
    }
    if (finished !== undefined) keeper.finish(target, finished)
    keeper.touch(target)
    bulletin.touch(target)
    turns.next(target)
  }

  const onResult = (result: ScanResult<"info" | "all">): void => {
    const target = result.target as Watched
    underWay.end(target)
    if (!isOurs(target)) return
    const at = wall.currentTimeMillisUnsafe()
    const observation = observe(target, result, at)
    if (observation.isUnsent) counters.unsent++
    else counters.asked++
    if (result._tag === "Answered") counters.answered++
    keep(target, observation, at)
  }

  const onJudged = ({ changes, target, turn }: Judged): void => {
    if (!isOurs(target)) return
    if (turn === undefined) return turns.next(target)
    const at = wall.currentTimeMillisUnsafe()
    const observation = takeIn(target, turn, at)
    keep(target, { ...observation, changes: [...observation.changes, ...changes] }, at)
  }

  let lookedAt = clock()
  let isAwake = true
  /** Others may have taken our slices while this process was stopped: nobody is asked until the store was looked at. */
  const isHeld = (): boolean => ownership.isShared && (!isAwake || clock() - lookedAt > ASLEEP_MS)
  const wakeUp = Effect.gen(function* () {
    isAwake = clock() - lookedAt <= ASLEEP_MS
    lookedAt = clock()
    if (isAwake) return
    const writing = yield* Effect.forkIn(keeper.flush, scope)
    yield* Effect.timeoutOption(Fiber.await(writing), WAKING)
    isAwake = true
    lookedAt = clock()
    turns.resume()
  })

  const isOld = ({ group, known: { askedAt } }: Watched): boolean =>
    askedAt === undefined || clock() - askedAt >= group.intervalMs

  /** A target of ours whose turn is now, or that is being asked, has no place in a schedule. */
  const askIfOld = (target: Watched): void => {
    if (target.tick >= 0 && isOurs(target) && isOld(target)) turns.soon(target)
  }

  const look = (target: Watched): Effect.Effect<void> =>
    Effect.suspend(() => {
      askIfOld(target)
      const isOthers = ownership.isShared && (!isOurs(target) || target.group.locations !== undefined)
      return isOthers && isOld(target) ? Effect.ignore(store.want(target.id, clock())) : Effect.void
    })

  const askWanted = Effect.suspend(() => store.wanted(clock() - WANTED_MS)).pipe(
    Effect.map((ids) => ids.forEach((id) => targets.has(id) && askIfOld(targets.get(id)!)))
  )

  const underWay = makeUnderWay({ store, keeper, owner: ownership.owner, isOurs, isHeld, intervalMs: () => shortestMs })

  const startAsking = (way: Way, schedule: Schedule<Watched>): void => {
    const scanning = scanBatches(schedule, way.query, {
      timeoutMs: way.timeoutMs,
      retries: way.retries,
      budget,
      recurring: true,
      batchMs: BATCH_MS,
      onDuplicate: (target) => {
        underWay.end(target as Watched)
        if (isOurs(target as Watched)) turns.soon(target as Watched, AGAIN_MS)
      }
    }).pipe(
      Stream.runForEach((batch) => Effect.sync(() => batch.forEach(onResult))),
      Effect.catchCause((cause) =>
        Effect.sync(() =>
          onEvent({ level: "error", event: "scan", message: `Nothing is asked any more: ${String(cause)}` })
        )
      )
    )
    fork(Effect.forkIn(scanning, scope, { startImmediately: true }))
  }

  /** Watches those targets of a plan that the store knows. Those that are watched already, and in the same way, go on. */
  const adopt = Effect.fnUntraced(function* (next: Plan) {
    const ids = yield* store.watched
    const before = new Map(byAddress)
    const unseen = Array.from(ids, ([address, id]) => (before.has(address) ? [] : [id])).flat()
    const stored =
      held.size() > 0 && unseen.length > 0 ? yield* store.known("targets", unseen) : new Map<number, Known>()
    targets.clear()
    byAddress.clear()
    turns.follow(new Set(Array.from(next.targets.values(), ({ way }) => way)), startAsking)
    const fresh: Array<Watched> = []
    shortestMs = Number.POSITIVE_INFINITY
    for (const { intervalMs } of next.targets.values()) shortestMs = Math.min(shortestMs, intervalMs)
    for (const [address, where] of placesIn(next)) {
      const id = ids.get(address)
      if (id === undefined) continue
      const group = next.targets.get(address)!
      let target = before.get(address)
      if (target?.id !== id || target.group !== group) {
        target = new Watched(id, address, where, group, target?.known ?? stored.get(id) ?? unknown())
        fresh.push(target)
      }
      targets.set(id, target)
      byAddress.set(address, target)
    }
    for (const target of before.values()) {
      if (targets.get(target.id) === target) continue
      target.isWatched = false
      target.tick = -1
    }
    turns.first(fresh.filter(({ slice }) => held.has(slice)))
    plan = next
  }, keeper.between)

  const { follow, followOthers, hasPlan, keepList, lists } = makeFollowing({
    store,
    isShared: ownership.isShared,
    now: () => wall.currentTimeMillisUnsafe(),
    adopt
  })

  /** Nobody else is to ask again whom we have asked. */
  const finish = Effect.gen(function* () {
    yield* underWay.finish
    yield* keeper.flush
    held.drop(held.all())
  })

  const [newest] = yield* store.changes({ limit: 1 })
  lastId = newest?.id ?? 0
  if (options.plan !== undefined) yield* follow(options.plan)
  else {
    yield* followOthers
    if (!hasPlan()) return yield* new InvalidConfig({ message: "Nobody has said yet what is to be watched." })
  }
  if (locations !== undefined) {
    const lookAround = Effect.suspend(() => (plan.hasLocations ? locations.refresh : Effect.void))
    yield* lookAround
    yield* every("1 second", lookAround)
    const judge = Stream.runForEach(judging(turns.judged, locations, clock), (one) => Effect.sync(() => onJudged(one)))
    yield* Effect.forkScoped(judge)
  }
  yield* ownership.hold({ take, leave })
  yield* Effect.addFinalizer(() => (ownership.isShared ? finish : keeper.flush))
  yield* Effect.addFinalizer(() => Effect.sync(turns.close))
  const tellAndDrop = Effect.sync(() => {
    bulletin.tell()
    drop(held.abandoned())
  })
  yield* every("1 second", tellAndDrop)
  yield* every(ownership.isShared ? SHARED_WRITE : WRITE, keeper.flush)
  if (ownership.isShared) {
    yield* every(LOOK, wakeUp)
    yield* Effect.forkScoped(underWay.tell)
    const complain = ({ message }: { readonly message: string }) =>
      Effect.sync(() => onEvent({ level: "warn", event: "plan", message: `the shared configuration: ${message}` }))
    const lookAtStore = Effect.andThen(followOthers, askWanted).pipe(
      Effect.catchTag("InvalidConfig", complain),
      Effect.catchTag("StoreFailed", () => Effect.void)
    )
    yield* every("1 second", lookAtStore)
  }
  const prune = Effect.suspend(() => keeper.prune(plan.retention, wall.currentTimeMillisUnsafe()))
  const hourly = Effect.forever(Effect.andThen(Effect.delay(prune, "1 minute"), Effect.sleep("59 minutes")))
  yield* ownership.only("retention", hourly)

  return Monitor.of({
    targets,
    ours: () => [...targets.values()].filter(isOurs),
    find: (address) => byAddress.get(address),
    plan: () => plan,
    counters,
    budget,
    keeper,
    taken: Deferred.await(taken),
    waiting: turns.waiting,
    lateMs: turns.lateMs,
    slices: held.size,
    look,
    subscribe: bulletin.subscribe,
    refresh: (some) => Effect.ignore(refresh(some)),
    follow,
    lists,
    keepList
  })
})

/** The monitor as a layer. */
export const layer = (options: MonitorOptions): Layer.Layer<Monitor, StoreFailed | InvalidConfig, Store | Datagrams> =>
  Layer.effect(Monitor, makeMonitor(options))
