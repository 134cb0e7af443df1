/**
 * Tests several instances of the monitor that share a SQLite store. The tests decide which instance owns a slice, and the time is virtual.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import type { Holder, Ownership } from "../src/fleet/Ownership.ts"
import { ALL_SLICES } from "../src/store/slices.ts"
import * as sqlite from "../src/store/sqlite.ts"
import { css, info } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-shared-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
/** Defines a test with a new store. The parameter `sql` of `use` is a client of the store's database. */
const test = (name: string, use: (lab: Lab, sql: SqlClient) => ReturnType<Parameters<typeof inLab>[1]>) =>
  it.effect(name, () => {
    const file = join(directory, `${files++}.db`)
    return inLab(file, (lab) =>
      Effect.gen(function* () {
        const database = yield* Layer.build(sqlite.layer(file))
        const scope = yield* Scope.make()
        const exit = yield* Effect.exit(Scope.provide(use(lab, Context.get(database, SqlClient)), scope))
        // The clock must advance here, because an instance that stops waits for the results of its queries in flight.
        yield* Effect.forkScoped(Scope.close(scope, Exit.void))
        yield* lab.pass(2, 0.5)
        return yield* exit
      })
    )
  })

const [ONE, TWO] = ["127.0.0.1:27015", "127.0.0.1:27016"]
const planWith = (more: object = {}) =>
  planFor([{ name: "all", targets: [ONE], intervalMs: 10_000, timeoutMs: 1000, retries: 0, downAfter: 1, ...more }])

/** Starts an instance, and returns it with a `holder`. The test calls `holder` to assign slices to the instance or to release slices. */
const start = Effect.fnUntraced(function* (
  lab: Lab,
  owner: string,
  plan?: ReturnType<typeof planFor>,
  graceMs?: number
) {
  let holder!: Holder
  const ownership: Partial<typeof Ownership.Service> = {
    owner,
    isShared: true,
    assignTo: (given) => Effect.sync(() => void (holder = given)),
    only: () => Effect.void
  }
  const running = yield* lab.watch(plan, ownership, graceMs === undefined ? {} : { graceMs })
  return { ...running, holder }
})

describe("an instance without a configuration", () => {
  test("adopts the configuration that another instance has stored, and later changes of this configuration", (lab) =>
    Effect.gen(function* () {
      const one = yield* start(lab, "one", planWith())
      const two = yield* start(lab, "two")
      assert.deepStrictEqual([...two.monitor.plan().targets.keys()], [ONE])
      yield* one.monitor.follow(planWith({ targets: [TWO], intervalMs: 5000 }))
      yield* lab.pass(2)
      assert.deepStrictEqual(
        [...two.monitor.targets.values()].map(({ address, group }) => [address, group.intervalMs]),
        [[TWO, 5000]]
      )
    }))

  test("does not start if no instance has stored a configuration", (lab) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(start(lab, "one"))
      assert.match(String(error), /No monitor has stored a configuration yet. Start a monitor with --config/)
    }))

  test("uses the previous configuration if the stored configuration is invalid, and reports the reason", (lab, sql) =>
    Effect.gen(function* () {
      const one = yield* start(lab, "one", planWith())
      const two = yield* start(lab, "two")
      yield* sql`update plan set version = version + 1, config = '{"groups":7}'`
      yield* lab.pass(2)
      const event = lab.events[0]
      assert.deepInclude(event, { level: "warn", event: "plan" })
      assert.match(
        event!.message,
        /^the shared configuration cannot be used: this version cannot read it. Another version of Sourcewire has stored it/
      )
      assert.deepStrictEqual([...two.monitor.plan().targets.keys()], [ONE])
      yield* one.monitor.follow(planWith({ targets: [TWO] }))
      yield* lab.pass(2)
      assert.deepStrictEqual([...two.monitor.plan().targets.keys()], [TWO])
    }))
})

describe("two instances", () => {
  test("hand over a server without a repeated query, a lost state or a repeated change", (lab) =>
    Effect.gen(function* () {
      const before = yield* lab.serve(27_015)
      const [one, two] = [yield* start(lab, "one", planWith()), yield* start(lab, "two")]
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(21)
      const { id, slice } = one.monitor.find(ONE)!
      const { requests } = before.server.counters()
      assert.deepStrictEqual([one.monitor.ownTargets().length, two.monitor.ownTargets().length], [1, 0])
      yield* before.stop
      const { server } = yield* lab.serve(27_015, { ...css, info: { ...info, map: "de_other" } })
      yield* lab.pass(10)
      const { asked } = one.monitor.find(ONE)!.known.hour!.total()
      yield* Effect.forkScoped(one.holder.release(slice))
      yield* lab.pass(1, 0.1)
      yield* two.holder.take([slice])
      const known = two.monitor.find(ONE)!.known
      assert.deepInclude(known, { state: "up", queriedAt: one.monitor.find(ONE)!.known.queriedAt })
      assert.strictEqual(known.hour!.total().asked, asked)
      yield* lab.pass(2)
      assert.deepStrictEqual([one.monitor.slices(), two.monitor.slices()], [ALL_SLICES.length - 1, 1])
      assert.deepStrictEqual([one.monitor.ownTargets().length, two.monitor.ownTargets().length], [0, 1])
      yield* lab.pass(30)
      assert.strictEqual(known.hour!.total().asked, asked + 3)
      assert.deepStrictEqual([one.monitor.counters.queried, two.monitor.counters.queried], [asked, 3])
      assert.isAbove(requests + server.counters().requests, 6)
      const changes = yield* two.store.changes({ target: id, limit: 9 })
      assert.deepStrictEqual(
        changes.map(({ field, to }) => [field, to]),
        [["map", "de_other"]]
      )
    }))

  test("the former owner of a slice continues the queries for a limited time if no instance claims the slice", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const one = yield* start(lab, "one", planWith({ intervalMs: 1000, timeoutMs: 500 }), 20_000)
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(10)
      const { slice } = one.monitor.find(ONE)!
      yield* Effect.forkScoped(one.holder.release(slice))
      yield* lab.pass(2, 0.5)
      const { queried } = one.monitor.counters
      yield* lab.pass(10)
      assert.isAtLeast(one.monitor.counters.queried, queried + 7)
      assert.isTrue(one.holder.has(slice))
      // The release was more than 20 seconds (`graceMs`) ago, so the instance no longer queries the targets of the slice.
      yield* lab.pass(10)
      assert.isFalse(one.holder.has(slice))
      const { counters } = one.monitor
      const last = counters.queried
      yield* lab.pass(10)
      assert.strictEqual(counters.queried, last)
    }))

  test("an instance shows the results of the other instance, and reads them from the store again after five seconds", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_015)
      const [one, two] = [yield* start(lab, "one", planWith()), yield* start(lab, "two")]
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(15)
      const seen = () => two.monitor.find(ONE)!.known.state
      assert.strictEqual(seen(), "unknown")
      yield* two.monitor.refresh()
      assert.strictEqual(seen(), "up")
      yield* stop
      yield* lab.pass(4)
      const readAt = two.monitor.find(ONE)!.known.queriedAt!
      while (one.monitor.find(ONE)!.known.state === "up") yield* lab.pass(1)
      yield* lab.pass(6)
      assert.strictEqual(seen(), "up")
      yield* two.monitor.refresh([two.monitor.find(ONE)!])
      assert.strictEqual(seen(), "down")
      assert.isAbove(two.monitor.find(ONE)!.known.queriedAt!, readAt)
      yield* lab.serve(27_015)
      yield* two.monitor.refresh()
      while (one.monitor.find(ONE)!.known.state === "down") yield* lab.pass(1)
      yield* lab.pass(6)
      yield* two.monitor.refresh()
      assert.strictEqual(seen(), "up")
      // The first instance queries the server itself, so it does not read the server's state from the store.
      const known = one.monitor.find(ONE)!.known
      yield* one.monitor.refresh([one.monitor.find(ONE)!])
      assert.strictEqual(one.monitor.find(ONE)!.known, known)
    }))

  test("an instance that shows the results of the other instance reads these results at most every five seconds", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_015)
      const plan = planWith({ intervalMs: 1000, timeoutMs: 500 })
      const [one, two] = [yield* start(lab, "one", plan), yield* start(lab, "two")]
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(5)
      yield* two.monitor.refresh()
      yield* stop
      yield* lab.pass(4)
      assert.strictEqual(one.monitor.find(ONE)!.known.state, "down")
      yield* two.monitor.refresh()
      assert.strictEqual(two.monitor.find(ONE)!.known.state, "up")
      yield* lab.pass(1)
      yield* two.monitor.refresh()
      assert.strictEqual(two.monitor.find(ONE)!.known.state, "down")
    }))

  test("share their mutes: if one instance adds or removes a mute, the other instance adopts the change", (lab) =>
    Effect.gen(function* () {
      const [one, two] = [yield* start(lab, "one", planWith()), yield* start(lab, "two")]
      const muted = () => two.monitor.muted(two.monitor.find(ONE)!)
      assert.isUndefined(muted())
      const mute = yield* one.monitor.mute({ kind: "server", what: ONE, from: 0, until: undefined, note: "update" })
      yield* lab.pass(2)
      assert.deepInclude(muted(), { note: "update" })
      assert.isTrue(yield* one.monitor.unmute(mute))
      yield* lab.pass(2)
      assert.isUndefined(muted())
    }))

  test("query a server only once in an interval, even if one instance stops while its query is in flight", (lab) =>
    Effect.gen(function* () {
      const { server } = yield* lab.serve(27_015, css, { delayMs: 3000 })
      const plan = planWith({ intervalMs: 60_000, timeoutMs: 10_000 })
      const [one, two] = [yield* start(lab, "one", plan), yield* start(lab, "two")]
      yield* one.holder.take(ALL_SLICES)
      while (server.counters().requests === 0) yield* lab.pass(0.1, 0.1)
      const stopping = yield* Effect.forkScoped(one.stop)
      yield* lab.pass(2, 0.1)
      assert.isDefined(stopping.pollUnsafe())
      yield* two.holder.take(ALL_SLICES)
      const { requests } = server.counters()
      yield* lab.pass(20)
      assert.strictEqual(server.counters().requests, requests)
      yield* lab.pass(60)
      assert.isAbove(server.counters().requests, requests)
    }))
})

describe("one of several instances", () => {
  test("reports an unreadable row once, counts this row, and treats the row's value as unknown", (lab, sql) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const one = yield* start(lab, "one", planWith())
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(15)
      yield* one.stop
      yield* sql`update latest set answer = '{'`
      const two = yield* start(lab, "two")
      yield* two.holder.take(ALL_SLICES)
      assert.isUndefined(two.monitor.find(ONE)!.known.last)
      yield* lab.pass(3)
      const reports = lab.events.filter(({ event }) => event === "unreadable-row")
      assert.lengthOf(reports, 1)
      assert.strictEqual(reports[0]!.level, "error")
      assert.match(
        reports[0]!.message,
        /^A row of the table latest cannot be decoded, and its data are treated as unknown: /
      )
      assert.deepStrictEqual(two.monitor.unreadable(), [["latest", 1]])
    }))

  test("stops the queries of a slice that another instance has claimed, and discards the results of this slice", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const [one, two] = [yield* start(lab, "one", planWith()), yield* start(lab, "two")]
      yield* one.holder.take(ALL_SLICES)
      yield* lab.pass(15)
      const { slice } = one.monitor.find(ONE)!
      yield* two.holder.take([slice])
      yield* lab.pass(1, 0.25)
      assert.deepStrictEqual([one.monitor.slices(), one.monitor.ownTargets().length], [ALL_SLICES.length - 1, 0])
      assert.strictEqual(one.monitor.find(ONE)!.known.state, "unknown")
      const { queried } = one.monitor.counters
      yield* lab.pass(30)
      assert.deepStrictEqual([one.monitor.counters.queried, two.monitor.counters.queried], [queried, 3])
    }))
})
