/** Tests a fleet and its store in a real Postgres database: slices and their owners, locations, database sessions, and error messages. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { layer } from "../src/fleet/Fleet.ts"
import { Ownership } from "../src/fleet/Ownership.ts"
import { Roster, storedStatus } from "../src/fleet/Roster.ts"
import { Locations } from "../src/locations/Locations.ts"
import { open, openShared } from "../src/store/index.ts"
import { ALL_SLICES, SLICES } from "../src/store/slices.ts"
import { Store, StoreFailed } from "../src/store/Store.ts"
import type { MonitorEvent } from "../src/watch/Monitor.ts"
import { unknown } from "../src/watch/Watched.ts"
import { emptyBatch, lastAnswer } from "./answers.ts"
import { isInstalled, makePostgres, type Postgres } from "./postgres.ts"

const ascending = (numbers: Iterable<number>) => [...numbers].toSorted((a, b) => a - b)

/** Waits until a condition is true. */
const until = <E>(what: string, isSo: () => boolean | Effect.Effect<boolean, E>) =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < 1200; attempt++) {
      const so = isSo()
      if (typeof so === "boolean" ? so : yield* so) return
      yield* Effect.sleep("25 millis")
    }
    assert.fail(what)
  })

describe.skipIf(!isInstalled)("a fleet in Postgres", () => {
  let server: Postgres
  beforeAll(async () => {
    server = await makePostgres()
    await server.start()
  })
  afterAll(() => server.remove())

  /** Starts a runner that records the slices that it owns. The first `fails` claims of the runner fail. */
  const start = Effect.fnUntraced(function* (host: string, location?: string, fails = 0) {
    const scope = yield* Scope.make()
    const stop = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => stop)
    const events: Array<MonitorEvent> = []
    const fleet = layer({ host, port: 1 }, (event) => void events.push(event), location)
    const context = yield* Layer.buildWithScope(Layer.provideMerge(fleet, openShared(server.url(), host)), scope)
    const held = new Set<number>()
    const state = { claims: 0, events, held, isReleasing: false, runs: 0 }
    const ownership = Context.get(context, Ownership)
    const holder = {
      take: (slices: ReadonlyArray<number>) =>
        Effect.suspend(() => {
          if (state.claims++ < fails) return Effect.fail(new StoreFailed({ message: "away" }))
          for (const slice of slices) held.add(slice)
          return Effect.void
        }),
      release: (slice: number) => Effect.sync(() => void held.delete(slice)),
      has: (slice: number) => held.has(slice)
    }
    const running = Effect.acquireRelease(
      Effect.sync(() => void state.runs++),
      () => Effect.sync(() => void state.runs--)
    )
    const begin = Effect.andThen(
      ownership.assignTo(holder),
      ownership.only("task", Effect.scoped(Effect.andThen(running, Effect.never)))
    )
    yield* Scope.provide(Effect.provideContext(begin, context), scope)
    return Object.assign(state, { context, ownership, stop, locations: Context.get(context, Locations)! })
  })

  it.live("divides all slices between its runners, and shows which locations have a runner", () =>
    Effect.gen(function* () {
      const one = yield* start("one", "eu", 2)
      assert.deepInclude(one.ownership, { owner: "one:1", isShared: true })
      // The first two claims of this runner fail, so the runner repeats its claim.
      yield* until("the first runner owns all slices", () => one.held.size === SLICES)
      assert.isAtLeast(one.claims, 3)
      yield* until("the task runs", () => one.runs === 1)
      const two = yield* start("two", "us")
      const isDivided = () => one.held.size > 0 && two.held.size > 0 && one.held.size + two.held.size === SLICES
      yield* until("both runners own slices", isDivided)
      assert.deepStrictEqual(ascending([...one.held, ...two.held]), [...ALL_SLICES])
      assert.isBelow(Math.max(one.held.size, two.held.size), SLICES * 0.75)
      yield* until("one runner runs the task", () => one.runs + two.runs === 1)
      assert.strictEqual(one.ownership.unqueried() + two.ownership.unqueried(), 0)

      assert.deepStrictEqual(one.locations.alive(), [])
      for (const { locations } of [one, two]) {
        yield* locations.refresh
        assert.deepStrictEqual(locations.alive(), ["eu", "us"])
      }
      assert.deepStrictEqual([one.locations.own!.name, two.locations.own!.name], ["eu", "us"])
      assert.strictEqual(two.locations.own!.ownership.owner, "two:1")

      // Each location has its own store, which contains the state of a target at this location. The fleet's own store contains a separate
      // state of the same target.
      const store = Context.get(one.context, Store)
      yield* store.enlist([{ address: "192.0.2.1:1", slice: 7, group: "a", labels: {} }], 1)
      const target = (yield* store.watched).get("192.0.2.1:1")!
      for (const [failures, { locations }] of [one, two].entries()) {
        const place = Context.get(yield* Layer.build(locations.own!.store), Store)
        assert.deepStrictEqual(yield* place.claim("a", [7]), [7])
        const known = { ...unknown(), failures }
        assert.deepStrictEqual(yield* place.write({ ...emptyBatch, known: [{ slice: 7, target, known }] }), [])
      }
      const views = (yield* one.locations.views([target])).get(target)!.views
      assert.sameDeepMembers(
        views.map(({ known, location }) => [location, known.failures]),
        [
          ["eu", 0],
          ["us", 1]
        ]
      )
      assert.strictEqual((yield* store.known("targets", [target])).size, 0)

      // After its last runner has stopped, a location remains in the list for ten seconds, so that a restart does not move targets.
      yield* one.stop
      yield* until("the second runner owns all slices", () => two.held.size === SLICES)
      yield* until("the second runner runs the task", () => two.runs === 1)
      assert.strictEqual(one.held.size, 0)
      yield* two.locations.refresh
      assert.deepStrictEqual(two.locations.alive(), ["eu", "us"])
    }).pipe(Effect.scoped)
  )

  it.live("the reports of its runners can be read from the database without a request to a monitor", () =>
    Effect.gen(function* () {
      const runner = yield* start("three")
      assert.isUndefined(runner.locations.own)
      const roster = Context.get(runner.context, Roster)!
      yield* roster.report(JSON.stringify({ version: "1.2.3" }))
      const names = Effect.map(storedStatus(server.url()), ({ runners }) => runners.map(({ name }) => name))
      assert.include(yield* names, "three:1")
      yield* roster.leave
      assert.notInclude(yield* names, "three:1")
    }).pipe(Effect.scoped)
  )

  it.live(
    "rejects an instance's writes to a slice that another instance has claimed, and stores the instance's other writes",
    () =>
      Effect.gen(function* () {
        const open1 = Effect.map(Layer.build(Layer.fresh(open(server.url(), "writer"))), Context.get(Store))
        const [one, two] = [yield* open1, yield* open1]
        const addresses = Array.from({ length: 150 }, (_, i) => `198.51.100.${i}:1`)
        yield* one.enlist(
          addresses.map((address, i) => ({
            address,
            slice: 8 + (i % 2),
            group: "b",
            labels: { note: "\u{1f600} 'x'" }
          })),
          1
        )
        const ids = yield* one.watched
        const known = addresses.map((address, i) => ({
          slice: 8 + (i % 2),
          target: ids.get(address)!,
          known: { ...unknown(), state: "up" as const, queriedAt: i, last: lastAnswer(i) }
        }))
        const change = { id: 0, at: 5, field: "map", from: "a", to: "b" } as const
        const changes = [0, 1].map((i) => ({ ...change, slice: 8 + i, target: known[i]!.target }))
        yield* one.claim("one", [8, 9])
        assert.deepStrictEqual(yield* two.claim("two", [9]), [9])
        assert.deepStrictEqual(yield* one.write({ ...emptyBatch, known, changes }), [9])
        const found = yield* two.known("slices", [8, 9])
        assert.sameMembers(
          [...found.keys()],
          known.filter(({ slice }) => slice === 8).map(({ target }) => target)
        )
        const { answer, at } = found.get(known[2]!.target)!.last!
        assert.deepStrictEqual([answer, at], [lastAnswer(2).answer, 2])
        assert.deepStrictEqual(
          (yield* two.changes({ target: known[0]!.target, limit: 9 })).map(({ to }) => to),
          ["b"]
        )
        assert.lengthOf(yield* two.changes({ target: known[1]!.target, limit: 9 }), 0)
        // After a lost connection, an instance repeats its last write. Even then, each change is stored only once.
        assert.deepStrictEqual(yield* one.write({ ...emptyBatch, known, changes }), [])
        assert.lengthOf(yield* two.changes({ target: known[0]!.target, limit: 9 }), 1)
      }).pipe(Effect.scoped)
  )

  it.live(
    "its database sessions have the name of the runner, and a time limit of five seconds for idle transactions",
    () =>
      Effect.gen(function* () {
        const sql = Context.get(yield* Layer.build(openShared(server.url(), "my-runner")), SqlClient)
        const [row] = yield* sql`select current_setting('application_name') as name,
        current_setting('idle_in_transaction_session_timeout') as idle`
        assert.deepStrictEqual(row, { name: "my-runner", idle: "5s" })
        const unnamed = Context.get(yield* Layer.build(Layer.fresh(openShared(server.url()))), SqlClient)
        const [name] = yield* unnamed`select current_setting('application_name') as name`
        assert.deepStrictEqual(name, { name: "sourcewire-monitor" })
      }).pipe(Effect.scoped)
  )
})

it.live.each([
  {
    what: "a closed port",
    where: "127.0.0.1:1/none",
    message: /^Cannot open the store: .* refused .*\[ECONNREFUSED\]/
  },
  {
    what: "a certificate file that does not exist",
    where: "127.0.0.1:1/none?sslrootcert=/no/such/file",
    message: /^Cannot read the certificate of sslrootcert: .*\[ENOENT\]/
  },
  {
    what: "the system's certificates and a closed port",
    where: "127.0.0.1:1/none?sslrootcert=system",
    message: /^Cannot open the store: .* refused .*\[ECONNREFUSED\]/
  }
])(
  "if the URL of a Postgres store refers to $what, the error contains the reason, but not the password",
  ({ message, where }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(Store, open(`postgres://monitor:secret@${where}`)))
      assert.match(error.message, message)
      assert.notInclude(error.message, "secret")
    })
)
