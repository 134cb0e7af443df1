/** Tests the locations that the page of a target shows. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeLocationReader } from "../src/http/locations.ts"
import { Locations } from "../src/locations/Locations.ts"
import type { View } from "../src/locations/View.ts"
import { StoreFailed } from "../src/store/Store.ts"
import { UnreadableRows } from "../src/store/UnreadableRows.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const NOW = 1_795_000_000_000
const HOUR = [{ hour: NOW - 3_600_000 }] as never

const target = (locations?: readonly [string, ...Array<string>]): Watched => {
  const config = { name: "a", targets: ["192.0.2.1:1"], ...(locations === undefined ? {} : { locations }) }
  const group = [...planFor([config]).targets.values()][0]!
  return new Watched(1, "192.0.2.1:1", { host: "192.0.2.1", port: 1 }, group, unknown())
}

const view = (location: string, state: "up" | "down", queriedAt: number): View => ({
  location,
  known: { ...unknown(), state, queriedAt, ...(state === "up" ? { last: lastAnswer(queriedAt) } : {}) }
})

/**
 * Creates a location reader, and passes it to `use`. The locations `eu` and `us` have runners, and the store returns `views` as the views
 * of the target.
 */
const read = <A, E>(
  use: (reader: Effect.Success<typeof makeLocationReader>) => Effect.Effect<A, E>,
  views: Effect.Effect<ReadonlyArray<View>, StoreFailed>
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    return yield* Effect.flatMap(makeLocationReader, use)
  }).pipe(
    Effect.provideService(Locations, {
      alive: () => ["eu", "us"],
      refresh: Effect.void,
      own: undefined,
      unreadable: new UnreadableRows(),
      views: ([id]: ReadonlyArray<number>) =>
        Effect.map(views, (found) => new Map([[id!, { views: found, disagreement: undefined }]])),
      hours: () => Effect.succeed(HOUR)
    } as never)
  )

describe("the locations of a target", () => {
  it.effect("are listed in the configured order, followed by locations that no longer query the target", () =>
    Effect.gen(function* () {
      const views = [
        view("old", "down", NOW - 86_400_000),
        view("us", "down", NOW - 1000),
        view("eu", "up", NOW - 2000)
      ]
      const rows = yield* read((reader) => reader.rows(target(["eu", "us"])), Effect.succeed(views))
      assert.deepEqual(
        rows.map(({ askedAt, counts, location, state }) => [location, counts, state, askedAt]),
        [
          ["eu", true, "up", NOW - 2000],
          ["us", true, "down", NOW - 1000],
          ["old", false, "down", NOW - 86_400_000]
        ]
      )
    })
  )

  it.effect(
    "are not listed if the group has no locations, if the fleet has no locations, or if the store is unreachable",
    () =>
      Effect.gen(function* () {
        const views = Effect.succeed([view("eu", "up", NOW)])
        assert.deepEqual(yield* read((reader) => reader.rows(target()), views), [])
        const failed = Effect.fail(new StoreFailed({ message: "unreachable" }))
        assert.deepEqual(yield* read((reader) => reader.rows(target(["eu"])), failed), [])
        const alone = yield* makeLocationReader
        assert.deepEqual(yield* alone.rows(target(["eu"])), [])
        assert.deepEqual(yield* alone.hours(target(["eu"]), "eu", 0, NOW), { hours: [], current: undefined })
      })
  )

  it.effect("the history of a location contains the stored hours and the current hour", () =>
    Effect.gen(function* () {
      const current = { hour: NOW } as never
      const eu = view("eu", "up", NOW)
      const views = Effect.succeed([view("us", "up", NOW), { ...eu, known: { ...eu.known, hour: current } }])
      const hours = yield* read((reader) => reader.hours(target(["eu", "us"]), "eu", 0, NOW), views)
      assert.deepEqual(hours, { hours: HOUR, current })
    })
  )
})
