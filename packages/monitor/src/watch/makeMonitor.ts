/**
 * Starts a monitor: connects its parts, and runs periodic tasks.
 *
 * These parts process the check of a target:
 *
 * - `Schedules` schedules the check, and a scan queries the target.
 * - `InFlight` records which targets are being queried.
 * - `ResultRecorder` applies the result to the target.
 * - `StoreWriter` stores the result, and `UpdateFeed` publishes it.
 *
 * `PlanFollower` determines all targets of the monitor, and `SliceOwner` decides which targets this instance queries.
 */
import { ScanBudget } from "@sourcewire/core"
import { currentTiming } from "@sourcewire/core/engine"
import { scanBatches } from "@sourcewire/core/scan"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { InvalidConfig, type Plan, type QuerySettings } from "../config/Config.ts"
import { Ownership } from "../fleet/Ownership.ts"
import { DAY_MS } from "../history/HourSamples.ts"
import { Locations } from "../locations/Locations.ts"
import { verdictStream } from "../locations/verdictStream.ts"
import type { Schedule } from "../schedule/Schedule.ts"
import { Store, type StoreFailed, StoreTaken } from "../store/Store.ts"
import { withTimeouts } from "../store/withTimeouts.ts"
import { HeldSlices } from "./HeldSlices.ts"
import { InFlight } from "./InFlight.ts"
import { Monitor, type MonitorOptions } from "./Monitor.ts"
import { Mutes } from "./Mutes.ts"
import { UpdateFeed } from "./UpdateFeed.ts"
import { PlanFollower } from "./PlanFollower.ts"
import { ResultRecorder } from "./ResultRecorder.ts"
import { SliceOwner } from "./SliceOwner.ts"
import { StoreWriter } from "./StoreWriter.ts"
import { SuspensionGuard } from "./SuspensionGuard.ts"
import { TargetRegistry } from "./TargetRegistry.ts"
import { makeSchedules, type Schedules } from "./Schedules.ts"
import { Verdicts } from "./Verdicts.ts"
import type { Known, Watched } from "./Watched.ts"

/**
 * Delay in milliseconds. If a target becomes due while another target with the same address is being queried, the due target is queried
 * after this delay.
 */
const AGAIN_MS = 1000

/** Results that arrive within this number of milliseconds are recorded together. */
const BATCH_MS = 40

/**
 * Interval at which results are written to the store. In a fleet, the interval is `SHARED_WRITE`: other instances may continue from the
 * stored state, so this state must be recent.
 */
const WRITE = "1 second"
const SHARED_WRITE = "250 millis"

const SUSPENSION_CHECK = "500 millis"

/**
 * Mutes that ended more than this number of milliseconds ago are not read. These mutes have no effect on new results, because the time
 * before their end is already assigned to states.
 */
const MUTES_MS = 2 * DAY_MS

/** Repeats a task for the lifetime of the scope, with a pause before each run. */
const every = <E, R>(pause: Duration.Input, work: Effect.Effect<void, E, R>) =>
  Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pause), work)))

/** Starts a monitor for the lifetime of the scope. */
export const makeMonitor = Effect.fnUntraced(function* (options: MonitorOptions) {
  const { isShared, ...ownership } = yield* Ownership
  const store = isShared ? withTimeouts(yield* Store, options.answerMs) : yield* Store
  const locations = yield* Locations
  const timing = yield* currentTiming
  const wall = yield* Clock.Clock
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<Datagrams>())
  const startedAt = wall.currentTimeMillisUnsafe() - timing.now()
  /**
   * Returns the system time at the start of the monitor, plus the time that has passed since the start. Unlike the system clock, this clock
   * is never set back.
   */
  const clock = (): number => startedAt + timing.now()
  const now = (): number => wall.currentTimeMillisUnsafe()
  const { budget = new ScanBudget(), onEvent = () => undefined } = options

  const targets = new TargetRegistry()
  const updateFeed = new UpdateFeed()
  const mutes = new Mutes()
  const taken = Deferred.makeUnsafe<never, StoreTaken>()
  const writer = new StoreWriter({
    store,
    onEvent,
    isShared,
    onLost: (lost) => {
      const message = "Another monitor has opened this store. This monitor stops."
      if (isShared) slices.drop(new Set(lost))
      else Deferred.doneUnsafe(taken, Effect.fail(new StoreTaken({ message })))
    }
  })
  const held = new HeldSlices({
    clock,
    confirmedAt: () => writer.wroteAt,
    isStoreUnavailable: () => writer.error !== undefined,
    graceMs: options.graceMs
  })
  const schedules: Schedules = makeSchedules(timing, clock, locations, {
    onTaken: (target) => {
      // A check begins with the query of the first candidate port. Queries of further ports belong to the same check.
      if (target.candidates === undefined || target.candidates.tried === 0) target.takenAt = now()
      inFlight.begin(target)
    },
    isWanted: (target) => {
      if (!slices.isOwn(target)) return false
      const waitsUntil = held.waitsUntil(target.slice)
      if (waitsUntil !== undefined) schedules.soon(target, waitsUntil - clock())
      return waitsUntil === undefined
    },
    isPaused: () => suspension.isHeld()
  })
  const slices = new SliceOwner({
    store,
    writer,
    targets,
    schedules,
    updateFeed,
    held,
    owner: ownership.owner,
    clock,
    scope
  })
  const suspension = new SuspensionGuard({ isShared, clock, writer, scope, onResume: schedules.resume })
  const inFlight = new InFlight({
    store,
    writer,
    owner: ownership.owner,
    isOwn: slices.isOwn,
    isHeld: suspension.isHeld,
    intervalMs: () => targets.shortestMs
  })
  const [newest] = yield* store.changes({ limit: 1 })
  const recorder = new ResultRecorder({
    targets,
    schedules,
    inFlight,
    writer,
    updateFeed,
    mutes,
    isOwn: slices.isOwn,
    onEvent,
    now,
    lastId: newest?.id ?? 0
  })

  /** Whether a scan has ended because of an error. */
  let hasStopped = false
  const startScan = (querySettings: QuerySettings, schedule: Schedule<Watched>): void => {
    const scanning = scanBatches(schedule, querySettings.query, {
      timeoutMs: querySettings.timeoutMs,
      retries: querySettings.retries,
      budget,
      recurring: true,
      batchMs: BATCH_MS,
      onDuplicate: (target) => {
        inFlight.end(target as Watched)
        if (slices.isOwn(target as Watched)) schedules.soon(target as Watched, AGAIN_MS)
      }
    }).pipe(
      Stream.runForEach((batch) => Effect.sync(() => batch.forEach(recorder.onResult))),
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          hasStopped = true
          onEvent({ level: "error", event: "scan", message: `Targets are no longer queried: ${String(cause)}` })
        })
      )
    )
    fork(Effect.forkIn(scanning, scope, { startImmediately: true }))
  }

  let plan!: Plan
  /**
   * Monitors the targets of a plan. Targets that are not in the store are skipped. If the plan does not change a target that is already
   * monitored, the next check of the target remains scheduled.
   */
  const adopt = Effect.fnUntraced(function* (next: Plan) {
    const ids = yield* store.watched
    const unseen = targets.unseen(ids)
    const stored =
      held.size() > 0 && unseen.length > 0 ? yield* store.known("targets", unseen) : new Map<number, Known>()
    const settings = new Set(Array.from(next.targets.values(), ({ querySettings }) => querySettings))
    schedules.follow(settings, startScan)
    const fresh = targets.replace(next, ids, stored)
    schedules.first(fresh.filter(({ slice }) => held.has(slice)))
    plan = next
  }, writer.between)
  const follower = new PlanFollower({ store, isShared, now, adopt })

  const readMutes = Effect.suspend(() => store.mutes(clock() - MUTES_MS)).pipe(Effect.map((found) => mutes.set(found)))
  yield* readMutes
  if (options.plan !== undefined) yield* follower.follow(options.plan)
  else {
    yield* follower.followOthers()
    if (!follower.hasPlan()) {
      return yield* new InvalidConfig({
        message:
          "No monitor has stored a configuration yet. Start a monitor with --config FILE or with addresses first."
      })
    }
  }
  if (locations !== undefined) {
    const refreshLocations = Effect.suspend(() => (plan.hasLocations ? locations.refresh : Effect.void))
    yield* refreshLocations
    yield* every("1 second", refreshLocations)
    const judged = verdictStream(schedules.judged, locations, clock)
    yield* Effect.forkScoped(Stream.runForEach(judged, (one) => Effect.sync(() => recorder.onJudged(one))))
  }
  yield* ownership.assignTo({ take: slices.take, release: slices.release, has: (slice) => held.has(slice) })

  /** Stores all results before this instance stops, so that other instances do not repeat the queries of this instance. */
  const handOver = Effect.gen(function* () {
    yield* inFlight.finish()
    yield* writer.flush
    held.drop(held.all())
  })
  yield* Effect.addFinalizer(() => (isShared ? handOver : writer.flush))
  yield* Effect.addFinalizer(() => Effect.sync(schedules.close))
  const publishAndDrop = Effect.sync(() => {
    updateFeed.publish()
    slices.drop(held.abandoned())
  })
  yield* every("1 second", publishAndDrop)
  const reportUnreadable = Effect.sync(() => {
    for (const { reason, table } of [store.unreadable, locations?.unreadable].flatMap((rows) => rows?.take() ?? [])) {
      const message = `A row of the table ${table} cannot be decoded, and its data are treated as unknown: ${reason}. The metric sourcewire_monitor_store_unreadable_total counts all such rows.`
      onEvent({ level: "error", event: "unreadable-row", message })
    }
  })
  yield* every("1 second", reportUnreadable)
  yield* every(isShared ? SHARED_WRITE : WRITE, writer.flush)
  if (isShared) {
    yield* every(SUSPENSION_CHECK, suspension.check)
    yield* Effect.forkScoped(inFlight.noteAll)
    const complain = ({ message }: { readonly message: string }) =>
      Effect.sync(() =>
        onEvent({ level: "warn", event: "plan", message: `the shared configuration cannot be used: ${message}` })
      )
    const followStore = Effect.andThen(
      Effect.suspend(() => follower.followOthers()),
      readMutes
    ).pipe(
      Effect.catchTag("InvalidConfig", complain),
      Effect.catchTag("StoreFailed", () => Effect.void)
    )
    yield* every("1 second", followStore)
  }
  let prunedAt = clock()
  const prune = Effect.suspend(() => {
    const elapsedMs = clock() - prunedAt
    prunedAt = clock()
    return writer.prune(plan.retention, now(), elapsedMs)
  })
  const hourly = Effect.forever(Effect.andThen(Effect.delay(prune, "1 minute"), Effect.sleep("59 minutes")))
  yield* ownership.only("retention", hourly)

  const verdicts = new Verdicts({
    targets: targets.byId,
    plan: () => plan,
    lists: () => follower.lists,
    store,
    refresh: Effect.suspend(() => slices.refresh()),
    updateFeed,
    onEvent,
    now
  })
  yield* Effect.forkScoped(verdicts.follow)
  yield* ownership.only("verdicts", verdicts.run)

  return Monitor.of({
    targets: targets.byId,
    ownTargets: () => [...targets.byId.values()].filter(slices.isOwn),
    find: (address) => targets.byAddress.get(address),
    plan: () => plan,
    counters: recorder.counters,
    budget,
    writer,
    taken: Deferred.await(taken),
    waiting: schedules.waiting,
    lateMs: schedules.lateMs,
    slices: () => held.size(),
    unqueried: () => (hasStopped ? held.size() : ownership.unqueried()),
    unreadable: () => [store.unreadable, locations?.unreadable].flatMap((rows) => [...(rows?.all() ?? [])]),
    findings: verdicts.of,
    mutes,
    muted: (target) => mutes.at(target, now()),
    mute: (mute) => Effect.tap(store.addMute(mute), () => readMutes),
    unmute: (id) =>
      Effect.tap(
        Effect.suspend(() => store.endMute(id, now())),
        () => readMutes
      ),
    subscribe: updateFeed.subscribe,
    refresh: (some) => Effect.ignore(slices.refresh(some)),
    follow: follower.follow,
    lists: follower.lists,
    saveList: follower.saveList
  })
})

/** The monitor as a layer. */
export const layer = (options: MonitorOptions): Layer.Layer<Monitor, StoreFailed | InvalidConfig, Store | Datagrams> =>
  Layer.effect(Monitor, makeMonitor(options))
