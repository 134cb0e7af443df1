/**
 * Tests a monitor whose targets are queried from two locations. Each location has its own network, and both locations use the same store.
 */
import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import { makeNetwork, type MemoryNetwork } from "@sourcewire/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { Ownership } from "../src/fleet/Ownership.ts"
import { layer as locationMonitorLayer, LocationMonitor } from "../src/locations/LocationMonitor.ts"
import { Locations } from "../src/locations/Locations.ts"
import { makeReader } from "../src/store/locations.ts"
import * as sqlite from "../src/store/sqlite.ts"
import { locationLayer } from "../src/store/sqlStore.ts"
import { StoreFailed } from "../src/store/Store.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-locations-"))
afterAll(() => rmSync(directory, { recursive: true }))

const [ONE, TWO] = ["127.0.0.1:27015", "127.0.0.1:27016"]
const group = (more: object = {}) => ({
  name: "all",
  targets: [ONE],
  intervalMs: 4000,
  timeoutMs: 500,
  retries: 0,
  downAfter: 2,
  ...more
})
const planWith = (more?: object) => planFor([group(more)])

/** The monitor that combines the results of locations, and a function that starts the runner of a location. */
interface Place {
  readonly lab: Lab
  readonly monitor: typeof Monitor.Service
  readonly store: Effect.Success<ReturnType<Lab["watch"]>>["store"]
  /** The locations that have a runner. */
  alive: ReadonlyArray<string>
  /**
   * Starts the runner of a location. The runner sends its queries through `network`. The first `fails` attempts of the runner to open the
   * store fail.
   */
  readonly join: (
    name: string,
    options?: { readonly network?: MemoryNetwork; readonly fails?: number }
  ) => Effect.Effect<typeof LocationMonitor.Service, unknown, Scope>
  readonly views: Effect.Effect<ReadonlyArray<string>, StoreFailed>
}

let files = 0
/** Defines a test that starts the monitor that combines the results of all locations. */
const test = (
  name: string,
  plan: ReturnType<typeof planFor>,
  use: (place: Place) => Effect.Effect<void, unknown, Scope>
) =>
  it.effect(name, () => {
    const file = join(directory, `${files++}.db`)
    return inLab(file, (lab) =>
      Effect.gen(function* () {
        const database = yield* Layer.build(sqlite.layer(file))
        const sql = Context.get(database, SqlClient)
        const reader = yield* Effect.provideContext(makeReader, database)
        const place = { lab, alive: [] as ReadonlyArray<string> }
        const locations = { ...reader, alive: () => place.alive, refresh: Effect.void }
        const running = yield* lab.watch(plan).pipe(Effect.provideService(Locations, { ...locations, own: undefined }))
        const { monitor } = running
        yield* use(
          Object.assign(place, running, {
            views: Effect.map(locations.views([monitor.find(ONE)?.id ?? 0]), (found) =>
              [...found.values()].flatMap(({ views }) =>
                views.map(({ known, location }) => `${location}: ${known.state}`)
              )
            ),
            join: Effect.fnUntraced(function* (
              name: string,
              { fails = 0, network = lab.network }: Parameters<Place["join"]>[1] = {}
            ) {
              const number = place.alive.length + 1
              yield* sql`insert into location ${sql.insert({ id: number, name })}`
              let attempts = 0
              const store = Layer.unwrap(
                Effect.suspend(() =>
                  attempts++ < fails
                    ? Effect.fail(new StoreFailed({ message: "away" }))
                    : Effect.succeed(locationLayer(number).pipe(Layer.provide(Layer.succeedContext(database))))
                )
              )
              const own = { name, store, ownership: { ...(yield* Ownership), owner: name } }
              const services = Context.make(Monitor, monitor).pipe(
                Context.add(Datagrams, network.datagrams),
                Context.add(Locations, { ...locations, own })
              )
              const onEvent = (event: Lab["events"][number]): void => void lab.events.push(event)
              const built = yield* Layer.build(locationMonitorLayer({ onEvent })).pipe(Effect.provideContext(services))
              place.alive = [...place.alive, name].toSorted()
              return yield* Effect.provideContext(LocationMonitor, built)
            })
          })
        )
      })
    )
  })

const addresses = ({ monitor }: typeof LocationMonitor.Service): ReadonlyArray<string> =>
  [...(monitor()?.targets.values() ?? [])].map(({ address }) => address).toSorted()

describe("a server with configured locations", () => {
  test(
    "is up while at least one location receives replies, and is down when no location receives replies",
    planWith({ locations: ["eu", "us"] }),
    (place) =>
      Effect.gen(function* () {
        const { lab, monitor, store } = place
        const server = yield* lab.serve(27_015)
        const eu = yield* place.join("eu")
        // In the network of the location `us`, the server does not exist, so no query gets a reply.
        const us = yield* place.join("us", { network: yield* makeNetwork({ reportsClosedPorts: false }) })
        yield* lab.pass(40)
        const { id, known } = monitor.find(ONE)!
        assert.deepStrictEqual(yield* place.views, ["eu: up", "us: down"])
        assert.deepInclude(known, { state: "up", failures: 0 })
        assert.deepStrictEqual([eu.name, us.name, monitor.counters.answered], ["eu", "us", 0])
        assert.isAtLeast(eu.monitor()!.counters.answered, 8)
        assert.deepStrictEqual(eu.monitor()!.find(ONE)!.id, id)
        const list = () =>
          Effect.map(store.changes({ target: id, limit: 9 }), (changes) =>
            changes.toReversed().map(({ field, from, to }) => [field, from, to])
          )
        const split = ["disagreement", "", "eu: up, us: down"]
        assert.deepStrictEqual(yield* list(), [split])
        yield* server.stop
        yield* lab.pass(30)
        assert.strictEqual(known.state, "down")
        assert.deepStrictEqual(
          (yield* list()).toSorted(),
          [["disagreement", "eu: up, us: down", ""], split, ["state", "up", "down"]].toSorted()
        )
        const [incident] = yield* store.incidents({ limit: 1 })
        assert.deepStrictEqual(incident!.locations, [
          { location: "eu", reason: "Timeout" },
          { location: "us", reason: "Timeout" }
        ])
      })
  )

  test(
    "is unknown until one of its locations queries the server, because the monitor itself does not query the server",
    planWith({ locations: ["eu"] }),
    (place) =>
      Effect.gen(function* () {
        const { lab, monitor } = place
        const { server } = yield* lab.serve(27_015)
        place.alive = ["asia"]
        yield* lab.pass(20)
        assert.deepInclude(monitor.find(ONE)!.known, { state: "unknown", failures: 0 })
        assert.strictEqual(server.counters().requests, 0)
        yield* place.join("eu")
        yield* lab.pass(20)
        assert.strictEqual(monitor.find(ONE)!.known.state, "up")
      })
  )

  test("is queried by the monitor itself while no location has a runner", planWith({ locations: 2 }), (place) =>
    Effect.gen(function* () {
      yield* place.lab.serve(27_015)
      yield* place.lab.pass(20)
      assert.isAtLeast(place.monitor.counters.answered, 3)
      assert.strictEqual(place.monitor.find(ONE)!.known.state, "up")
    })
  )
})

describe("the runner of a location", () => {
  test(
    "updates its targets after each new plan, and queries no targets if the plan has no locations",
    planWith(),
    (place) =>
      Effect.gen(function* () {
        const { lab, monitor } = place
        const [one, two] = [yield* lab.serve(27_015), yield* lab.serve(27_016)]
        const eu = yield* place.join("eu")
        yield* lab.pass(5)
        assert.isUndefined(eu.monitor())
        yield* monitor.follow(planWith({ locations: ["us"] }))
        yield* lab.pass(5)
        assert.isUndefined(eu.monitor())
        yield* monitor.follow(planWith({ locations: ["eu"], targets: [ONE, TWO] }))
        yield* lab.pass(2)
        assert.deepStrictEqual(addresses(eu), [ONE, TWO])
        yield* lab.pass(10)
        const { answered } = monitor.counters
        const requests = one.server.counters().requests
        yield* lab.pass(20)
        assert.strictEqual(monitor.counters.answered, answered)
        assert.isAtLeast(one.server.counters().requests, requests + 8)
        yield* monitor.follow(planWith({ locations: ["eu"], targets: [TWO] }))
        yield* lab.pass(2)
        assert.deepStrictEqual(addresses(eu), [TWO])
        yield* monitor.follow(planWith({ targets: [TWO] }))
        yield* lab.pass(2)
        assert.deepStrictEqual(addresses(eu), [])
        const counted = eu.monitor()!.counters.queried
        yield* lab.pass(20)
        assert.strictEqual(eu.monitor()!.counters.queried, counted)
        assert.isAbove(two.server.counters().requests, 0)
        assert.isAbove(monitor.counters.answered, answered)
      })
  )

  test(
    "continues to query its own targets if another location stops, and takes over targets of the stopped location",
    planWith({ locations: 2, targets: Array.from({ length: 20 }, (_, i) => `127.0.0.1:${27_001 + i}`) }),
    (place) =>
      Effect.gen(function* () {
        const { lab, monitor } = place
        const all = yield* Effect.forEach(["asia", "eu", "us"], (name) => place.join(name))
        yield* lab.pass(3)
        const before = all.map(addresses)
        assert.strictEqual(before.flat().length, 2 * 20)
        assert.strictEqual(new Set(before.flat()).size, 20)
        for (const some of before) assert.isBelow(some.length, 20)
        const [asia, eu, us] = all as [typeof LocationMonitor.Service, ...typeof all]
        const known = before[1]!.map((address) => eu!.monitor()!.find(address))
        place.alive = ["eu", "us"]
        yield* lab.pass(3)
        assert.deepStrictEqual(
          [asia, eu!, us!].map((one) => addresses(one).length),
          [0, 20, 20]
        )
        for (const [i, address] of before[1]!.entries()) assert.strictEqual(eu!.monitor()!.find(address), known[i])
        assert.strictEqual(monitor.targets.size, 20)
      })
  )

  test(
    "starts its queries as soon as the store can be opened, even if earlier attempts have failed",
    planWith({ locations: ["eu"] }),
    (place) =>
      Effect.gen(function* () {
        const { lab, monitor } = place
        yield* lab.serve(27_015)
        const eu = yield* place.join("eu", { fails: 3 })
        yield* lab.pass(2)
        assert.isUndefined(eu.monitor())
        yield* lab.pass(20)
        assert.deepStrictEqual(addresses(eu), [ONE])
        assert.strictEqual(monitor.find(ONE)!.known.state, "up")
      })
  )

  it.effect(
    "does not exist if the instance has no configured location: `LocationMonitor` has no monitor and an empty name",
    () =>
      Effect.gen(function* () {
        const services = Context.make(Monitor, undefined as never).pipe(Context.add(Datagrams, undefined as never))
        const built = yield* Layer.build(locationMonitorLayer({})).pipe(Effect.provideContext(services))
        const { monitor, name } = yield* Effect.provideContext(LocationMonitor, built)
        assert.deepStrictEqual([monitor(), name], [undefined, ""])
      }).pipe(Effect.scoped)
  )
})
