/**
 * Many machines on one Postgres: Effect Cluster says who owns which slice, by locks of the database's sessions, and nothing else. The
 * runners meet in the database only: no port is open between machines, and a partition between them has no effect.
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
import { makeReader, numberOf } from "../store/locations.ts"
import { SLICES } from "../store/slices.ts"
import { layerOf } from "../store/sqlStore.ts"
import type { StoreFailed } from "../store/Store.ts"
import type { MonitorEvent } from "../watch/Monitor.ts"
import { EXPIRATION_MS } from "./FleetStatus.ts"
import { engineLog } from "./engineLog.ts"
import { type Holder, Ownership } from "./Ownership.ts"
import { Roster, rosterIn } from "./Roster.ts"

const REFRESH = "2 seconds"
const LOOK = "1 second"

/** Slices that come at once are claimed at once. */
const TOGETHER = "50 millis"
/** A claim that fails is tried again after so long. */
const AGAIN = "250 millis"

/** So long a slice that has to go waits for a claim that is under way. */
const LONGEST_CLAIM = "2 seconds"

/** A slice whose lock is ours and that is not queried for so long is reported; a claim takes a fraction of a second. */
const UNQUERIED_MS = 5000
/** After so long it is claimed again. By then the engine has noticed if the lock is somebody else's. */
const RECLAIM_MS = EXPIRATION_MS + 2000

/** A location counts for so long after its last runner was seen: one that is started anew moves nothing. */
const KEPT_MS = 10_000

/** The shard group of the slices of which the verdict is made. */
const GROUP = "default"

/** The shard group of a location. The engine numbers locks by the order of the groups' names, so it is that of their numbers. */
const groupOf = (location: number): string => `location-${String(location).padStart(6, "0")}`

/** Who a runner is: a name that no other has, best one that a restart does not change. */
export interface RunnerName {
  readonly host: string
  readonly port: number
}

/** As people write it. */
export const formatName = ({ host, port }: RunnerName): string => `${host}:${port}`

/** Names whose places are the slices: the engine finds the place of a name by a hash. */
const namesOf = (sharding: typeof Sharding.Sharding.Service): ReadonlyMap<number, string> => {
  const names = new Map<number, string>()
  for (let i = 0; names.size < SLICES; i++) {
    const name = `slice/${i}`
    const slice = sharding.getShardId(EntityId.make(name), GROUP).id - 1
    if (!names.has(slice)) names.set(slice, name)
  }
  return names
}

/** Of the slices of a shard group. */
const ownershipIn = (name: RunnerName, shardGroup: string, onEvent: (event: MonitorEvent) => void) =>
  Effect.gen(function* () {
    const sharding = yield* Sharding.Sharding
    const names = namesOf(sharding)
    const clock = yield* Clock.Clock
    /** Since when slices have been ours without being queried. */
    const unqueriedSince = new Map<number, number>()
    const unqueriedFor = (ms: number): ReadonlyArray<number> => {
      const before = clock.currentTimeMillisUnsafe() - ms
      return [...unqueriedSince].flatMap(([slice, since]) => (since <= before ? [slice] : []))
    }

    const hold = Effect.fnUntraced(function* ({ has, leave, take }: Holder) {
      const ours = new Set<number>()
      /** Those of ours that are not claimed yet. */
      const coming = new Set<number>()
      /** A claim that came after the next owner's would take the slice from him. */
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
      // The store refuses what we write if the epoch of a slice is no longer ours, and then its targets are not queried any more. Nobody
      // else queries them either while the lock is ours.
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
        const message = `${overdue.length} slices are locked by this machine and were not queried: their epoch in the store was another one's. They are claimed again.`
        onEvent({ level: "error", event: "unqueried-slices", message })
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(LOOK), reclaim)))
      for (const [slice, name] of names) {
        // It runs while the slice is ours, and the engine gives the slice to nobody before it has ended.
        const owning = Effect.acquireRelease(
          Effect.sync(() => {
            ours.add(slice)
            coming.add(slice)
          }),
          () =>
            Effect.suspend(() => {
              ours.delete(slice)
              unqueriedSince.delete(slice)
              return coming.delete(slice) ? Effect.void : Effect.andThen(claimed, leave(slice))
            })
        )
        yield* sharding.registerSingleton(name, owning, { shardGroup })
      }
    })

    return {
      owner: formatName(name),
      isShared: true,
      hold,
      unqueried: () => unqueriedFor(UNQUERIED_MS).length,
      only: <R>(name: string, run: Effect.Effect<void, never, R>) =>
        sharding.registerSingleton(name, run, { shardGroup })
    }
  })

/** The engine of a runner, which meets the others' in a storage; `location` is the number of its location, where it has one. */
const engineOver = <R>(
  storage: Layer.Layer<RunnerStorage, never, R>,
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void,
  location = 0
) => {
  // All runners have the groups before theirs at the same places.
  const groups = Array.from({ length: location }, (_, i) => groupOf(i + 1))
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
        refreshAssignmentsInterval: LOOK,
        entityMessagePollInterval: LOOK
      })
    ),
    Layer.provide(engineLog(onEvent))
  )
}

/** Shares the targets with all whose engines meet in a storage. */
export const layerOver = (
  storage: Layer.Layer<RunnerStorage>,
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void
): Layer.Layer<never> =>
  Layer.effect(Ownership, ownershipIn(name, GROUP, onEvent)).pipe(Layer.provide(engineOver(storage, name, onEvent)))

/** Which locations have a runner, by what runners tell the engine; what each has learned, by the store; and what this one owns in its own. */
const locationsOf = Effect.fnUntraced(function* (
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
          ownership: yield* ownershipIn(runner, groupOf(place.number), onEvent),
          store: Layer.provide(layerOf(place.number), Layer.succeed(SqlClient.SqlClient, sql))
        }
  const runners = yield* RunnerStorage
  const { names: readNames, ...reader } = yield* makeReader
  let names: ReadonlyMap<string, string> = new Map()
  /** When each was seen last. */
  const seen = new Map<string, number>()

  const refresh = Effect.gen(function* () {
    const groups = new Set(
      (yield* runners.getRunners).flatMap(([{ groups }, isHealthy]) =>
        isHealthy ? groups.filter((group) => group !== GROUP) : []
      )
    )
    if ([...groups].some((group) => !names.has(group))) {
      names = new Map(Array.from(yield* readNames, ([number, name]) => [groupOf(number), name]))
    }
    const now = yield* Clock.currentTimeMillis
    for (const group of groups) seen.set(names.get(group) ?? group, now)
    for (const [name, at] of seen) if (at < now - KEPT_MS) seen.delete(name)
  })

  return {
    alive: () => [...seen.keys()].toSorted(),
    // While the database is away, those count who were there before.
    refresh: Effect.ignore(refresh),
    ...reader,
    own
  }
})

/** Shares the targets with all who are on the same database, and those of its location with all who are in it. */
export const layer = (
  name: RunnerName,
  onEvent: (event: MonitorEvent) => void,
  location?: string
): Layer.Layer<never, StoreFailed, SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const own = location === undefined ? undefined : { name: location, number: yield* numberOf(location) }
      return Layer.mergeAll(
        Layer.effect(Ownership, ownershipIn(name, GROUP, onEvent)),
        Layer.effect(Locations, locationsOf(name, onEvent, own)),
        Layer.effect(
          Roster,
          Effect.map(SqlClient.SqlClient, (sql) => rosterIn(sql, formatName(name)))
        )
      ).pipe(
        Layer.provide(
          engineOver(Layer.orDie(SqlRunnerStorage.layerWith({ prefix: "fleet" })), name, onEvent, own?.number)
        )
      )
    })
  )
