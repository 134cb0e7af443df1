/**
 * A fleet: several instances that share one Postgres database. Effect Cluster (the engine) assigns slices of the target list to instances,
 * with advisory locks in the database. The monitor uses no other part of Effect Cluster. Instances communicate only through the database,
 * and open no connections to each other.
 *
 * @module
 */
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as EntityId from "effect/cluster/EntityId"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { Locations } from "../locations/Locations.ts"
import { makeReader, findNumber } from "../store/locations.ts"
import { SLICES } from "../store/slices.ts"
import { locationLayer } from "../store/sqlStore.ts"
import type { StoreFailed } from "../store/Store.ts"
import type { MonitorEvent } from "../watch/Monitor.ts"
import { EXPIRATION_MS } from "./FleetStatus.ts"
import { engineLog } from "./engineLog.ts"
import { type Holder, Ownership } from "./Ownership.ts"
import { Roster, makeRoster } from "./Roster.ts"

const REFRESH = "2 seconds"
const POLL_INTERVAL = "1 second"

/** Pause before the runner claims slices that the engine has assigned. Slices that are assigned during this pause are claimed together. */
const TOGETHER = "50 millis"
/** Pause before the runner repeats a failed claim. */
const AGAIN = "250 millis"

/**
 * If a claim is running when this runner must release a slice, the release waits for the claim, but at most for this time. See `claiming`.
 */
const LONGEST_CLAIM = "2 seconds"

/**
 * If this runner has locked a slice, but does not query the targets of the slice for this time, the status reports the slice. Normally, a
 * runner starts to query these targets less than a second after it has locked the slice.
 */
const UNQUERIED_MS = 5000
/**
 * If this runner has locked a slice, but does not query the targets of the slice for this time, the runner claims the slice again. This
 * time is longer than the time that the engine needs to detect that another runner has taken the lock.
 */
const RECLAIM_MS = EXPIRATION_MS + 2000

/**
 * If a location has had no runner for this time, its targets move to other locations. If the only runner of a location restarts in less
 * time, no target moves.
 */
const LOCATION_TTL_MS = 10_000

/** The shard group for the slices of the monitor that combines the results of all locations. */
const GROUP = "default"

/**
 * The shard group of a location. The engine sorts shard groups by name. Therefore the number in the name is padded with zeros: without
 * these zeros, `location-10` would be before `location-9`.
 */
const shardGroup = (location: number): string => `location-${String(location).padStart(6, "0")}`

/**
 * The name of a runner. Two runners of a fleet must not use the same name. After a restart, a runner should use the same name as before.
 */
export interface RunnerName {
  readonly host: string
  readonly port: number
}

export const formatName = ({ host, port }: RunnerName): string => `${host}:${port}`

/**
 * Finds one name for each slice. The engine computes the number of a slice from the hash of a name. Therefore this function tries names
 * until each slice has a name.
 */
const findSliceNames = (sharding: typeof Sharding.Sharding.Service): ReadonlyMap<number, string> => {
  const names = new Map<number, string>()
  for (let i = 0; names.size < SLICES; i++) {
    const name = `slice/${i}`
    const slice = sharding.getShardId(EntityId.make(name), GROUP).id - 1
    if (!names.has(slice)) names.set(slice, name)
  }
  return names
}

/** Creates the implementation of `Ownership` for the slices of one shard group. */
const ownershipIn = (name: RunnerName, shardGroup: string, onEvent: (event: MonitorEvent) => void) =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const names = findSliceNames(sharding)
    const clock = yield* Clock.Clock
    /**
     * Slices that this runner has locked, but whose targets it does not query. The value is the time at which the runner first noticed that
     * it does not query the targets.
     */
    const unqueriedSince = new Map<number, number>()
    const unqueriedFor = (ms: number): ReadonlyArray<number> => {
      const before = clock.currentTimeMillisUnsafe() - ms
      return [...unqueriedSince].flatMap(([slice, since]) => (since <= before ? [slice] : []))
    }

    const assignTo = Effect.fnUntraced(function* ({ has, release, take }: Holder) {
      const ours = new Set<number>()
      /** Slices that this runner has locked, but has not claimed in the store yet. */
      const coming = new Set<number>()
      /**
       * A claim locks this semaphore, and a release waits until the semaphore is free. Without the wait, the claim of a slice could end
       * after the release of the slice, and take the slice from the next owner.
       */
      const claiming = Semaphore.makeUnsafe(1)
      const claim = Effect.gen(function* () {
        yield* Effect.sleep(TOGETHER)
        const slices = [...coming].sort((a, b) => a - b)
        if (slices.length === 0) return
        coming.clear()
        yield* Effect.catchTag(claiming.withPermits(1)(take(slices)), "StoreFailed", () => {
          for (const slice of slices) if (ours.has(slice)) coming.add(slice)
          return Effect.sleep(AGAIN)
        })
      })
      const claimed = Effect.timeoutOption(Effect.interruptible(claiming.withPermits(1)(Effect.void)), LONGEST_CLAIM)
      yield* Effect.forkScoped(Effect.forever(claim))
      // If another runner has changed the epoch of a slice, the store rejects the writes of this runner, and this runner stops the queries
      // of the slice's targets. If this runner still has the lock of the slice, no other runner queries these targets. Therefore this
      // runner must claim the slice again.
      const reclaim = Effect.sync(() => {
        for (const slice of ours) {
          if (has(slice)) unqueriedSince.delete(slice)
          else if (!unqueriedSince.has(slice)) unqueriedSince.set(slice, clock.currentTimeMillisUnsafe())
        }
        const overdue = unqueriedFor(RECLAIM_MS)
        if (overdue.length === 0) return
        for (const slice of overdue) {
          unqueriedSince.delete(slice)
          coming.add(slice)
        }
        const message = `${overdue.length} slices are locked by this instance but were not queried, because their epoch in the store had changed. They are claimed again.`
        onEvent({ level: "error", event: "unqueried-slices", message })
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(POLL_INTERVAL), reclaim)))
      for (const [slice, name] of names) {
        // The engine starts this effect after this runner has locked the slice, and stops the effect when this runner must release the
        // slice. The engine unlocks the slice only after the effect has ended.
        const owning = Effect.acquireRelease(
          Effect.sync(() => {
            ours.add(slice)
            coming.add(slice)
          }),
          () =>
            Effect.suspend(() => {
              ours.delete(slice)
              unqueriedSince.delete(slice)
              return coming.delete(slice) ? Effect.void : Effect.andThen(claimed, release(slice))
            })
        )
        yield* sharding.registerSingleton(name, owning, { shardGroup })
      }
    })

    return {
      owner: formatName(name),
      isShared: true,
      assignTo,
      unqueried: () => unqueriedFor(UNQUERIED_MS).length,
      only: <R>(name: string, run: Effect.Effect<void, never, R>) =>
        sharding.registerSingleton(name, run, { shardGroup })
    }
  })

/**
 * Creates the engine of a runner. The runners of a fleet use the same `storage`. `location` is the number of the runner's location. 0 means
 * that the runner has no location.
 */
const engineOver = <R>(
  storage: Layer.Layer<RunnerStorage, never, R>,
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void,
  location = 0
) => {
  // A shard group must have the same index in `availableShardGroups` on all runners. Therefore the array contains not only the group of
  // `location`, but also the groups of all locations with smaller numbers.
  const groups = Array.from({ length: location }, (_, i) => shardGroup(i + 1))
  return Sharding.layer.pipe(
    Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
    Layer.provideMerge(storage),
    Layer.provide(MessageStorage.layerNoop),
    Layer.provide(
      ShardingConfig.layer({
        runnerAddress: Option.some(RunnerAddress.make(name.host, name.port)),
        shardsPerGroup: SLICES,
        availableShardGroups: [GROUP, ...groups],
        assignedShardGroups: [GROUP, ...groups.slice(-1)],
        shardLockExpiration: EXPIRATION_MS,
        shardLockRefreshInterval: REFRESH,
        refreshAssignmentsInterval: POLL_INTERVAL,
        entityMessagePollInterval: POLL_INTERVAL
      })
    ),
    Layer.provide(engineLog(onEvent))
  )
}

/** Provides the ownership for a fleet without locations. The runner shares the targets with all runners that use the same `storage`. */
export const layerOver = (
  storage: Layer.Layer<RunnerStorage>,
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void
): Layer.Layer<never> =>
  Layer.effect(Ownership, ownershipIn(name, GROUP, onEvent)).pipe(Layer.provide(engineOver(storage, name, onEvent)))

/**
 * Creates the service for locations. The service reads from the engine which locations have a runner, and reads the results of the
 * locations from the store. If `place` is given, the service also assigns the slices of this location.
 */
const makeLocations = Effect.fnUntraced(function* (
  runner: RunnerName,
  onEvent: (event: MonitorEvent) => void,
  place: { readonly name: string; readonly number: number } | undefined
) {
  const sql = yield* SqlClient.SqlClient
  const own =
    place === undefined
      ? undefined
      : {
          name: place.name,
          ownership: yield* ownershipIn(runner, shardGroup(place.number), onEvent),
          store: Layer.provide(locationLayer(place.number), Layer.succeed(SqlClient.SqlClient, sql))
        }
  const runners = yield* RunnerStorage
  const { names: readNames, ...reader } = yield* makeReader
  let names: ReadonlyMap<string, string> = new Map()
  /** The time at which the engine last listed a runner of a location, by the name of the location. */
  const seen = new Map<string, number>()

  const refresh = Effect.gen(function* () {
    const groups = new Set(
      (yield* runners.getRunners).flatMap(([{ groups }, isHealthy]) =>
        isHealthy ? groups.filter((group) => group !== GROUP) : []
      )
    )
    if ([...groups].some((group) => !names.has(group))) {
      names = new Map(Array.from(yield* readNames, ([number, name]) => [shardGroup(number), name]))
    }
    const now = yield* Clock.currentTimeMillis
    for (const group of groups) seen.set(names.get(group) ?? group, now)
    for (const [name, at] of seen) if (at < now - LOCATION_TTL_MS) seen.delete(name)
  })

  return {
    alive: () => [...seen.keys()].toSorted(),
    // If the database is unreachable, the error is ignored, and `alive` returns the locations that the last successful refresh has found.
    refresh: Effect.ignore(refresh),
    ...reader,
    own
  }
})

/**
 * Provides the ownership for a fleet. Each slice of the target list has one owner among all runners that use the same database. If
 * `location` is given, each slice also has one owner among the runners of this location. This second owner sends the queries of the
 * location.
 */
export const layer = (
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void,
  location?: string
): Layer.Layer<never, StoreFailed, SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const own = location === undefined ? undefined : { name: location, number: yield* findNumber(location) }
      return Layer.mergeAll(
        Layer.effect(Ownership, ownershipIn(name, GROUP, onEvent)),
        Layer.effect(Locations, makeLocations(name, onEvent, own)),
        Layer.effect(
          Roster,
          Effect.map(SqlClient.SqlClient, (sql) => makeRoster(sql, formatName(name)))
        )
      ).pipe(
        Layer.provide(
          engineOver(Layer.orDie(SqlRunnerStorage.layerWith({ prefix: "fleet" })), name, onEvent, own?.number)
        )
      )
    })
  )
