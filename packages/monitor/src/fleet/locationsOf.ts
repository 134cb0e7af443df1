/**
 * The locations of a fleet: which have a runner, by what runners tell the engine, and what each has learned, by the store.
 */
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Locations, OwnLocation } from "../locations/Locations.ts"
import { makeReader } from "../store/locations.ts"

/** A location counts for so long after its last runner was seen: one that is started anew moves nothing. */
const KEPT_MS = 10_000

/** The shard group of the slices of which the verdict is made. */
export const GROUP = "default"

/** The shard group of a location. The engine numbers locks by the order of the groups' names, so it is that of their numbers. */
export const groupOf = (location: number): string => `location-${String(location).padStart(6, "0")}`

/** Over the engine and the store, as one runner sees them. */
export const locationsOf = Effect.fnUntraced(function* (own: OwnLocation | undefined) {
  const runners = yield* RunnerStorage.RunnerStorage
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
  } satisfies (typeof Locations)["Service"]
})
