/**
 * Tests a monitor that queries servers in memory: its schedule, its stored changes and samples, a new plan, and a restart. The time is
 * virtual.
 */
import { assert, describe, it } from "@effect/vitest"
import { profiles } from "@sourcewire/emulator"
import { afterAll } from "vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "../src/store/Store.ts"
import type { Updates } from "../src/watch/Monitor.ts"
import { css, info } from "./answers.ts"
import { inLab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-monitor-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${files++}.db`), use))

const group = (ports: ReadonlyArray<number>, more: object = {}) => ({
  name: "all",
  targets: ports.map((port) => `127.0.0.1:${port}`),
  intervalMs: 10_000,
  ...more
})

const listChanges = (store: typeof Store.Service, target?: number) =>
  Effect.map(store.changes({ limit: 100, target }), (changes) =>
    changes.toReversed().map(({ field, from, to }) => [field, from, to])
  )

describe("a monitor", () => {
  test("queries each target once per interval, and stores the reply", (lab) =>
    Effect.gen(function* () {
      const ports = Array.from({ length: 20 }, (_, i) => 27_001 + i)
      const servers = yield* Effect.all(ports.map((port) => lab.serve(port)))
      const { monitor } = yield* lab.watch(planFor([group(ports)]))
      yield* lab.pass(65)
      assert.strictEqual(monitor.targets.size, 20)
      for (const { known } of monitor.targets.values()) {
        assert.deepInclude(known, { state: "up", failures: 0 })
        assert.strictEqual(known.last?.summary.name, info.name)
      }
      // Each query sends two requests: the first without a challenge, the second with the challenge. In 65 seconds, the monitor sends a
      // first query within a few seconds, and then six queries at the configured interval.
      for (const { server } of servers) {
        const { requests } = server.counters()
        assert.isAtLeast(requests, 2 * 6)
        assert.isAtMost(requests, 2 * 8)
      }
    }))

  // ReHLDS accepts 3 queries per second from an address, averaged over a minute. If an address exceeds this limit, ReHLDS drops all
  // datagrams of this address.
  for (const loss of [0, 0.5, 1]) {
    test(`by default, sends fewer datagrams to a server than ReHLDS accepts (packet loss: ${loss})`, (lab) =>
      Effect.gen(function* () {
        yield* lab.serve(27_015)
        lab.network.faults = { loss }
        yield* lab.watch(planFor([{ name: "all", targets: ["127.0.0.1:27015"], query: "all" }]))
        const sent: Array<number> = [0]
        for (let second = 0; second < 300; second++) {
          yield* lab.pass(1)
          // The counter counts the datagrams of the monitor and of the server, so the monitor sends fewer datagrams than the counter shows.
          sent.push(lab.network.counters.sent)
        }
        const perMinute = sent.slice(60).map((count, second) => count - sent[second]!)
        assert.isAtMost(Math.max(...perMinute), 3 * 60)
        assert.isAbove(sent.at(-1)!, 20)
      }))
  }

  test("by default, queries a server that is down as often as a server that is up, and detects a recovery within an interval", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_015)
      const { monitor, store } = yield* lab.watch(planFor([group([27_015], { downAfter: 2, timeoutMs: 1000 })]))
      yield* lab.pass(15)
      yield* stop
      const target = monitor.find("127.0.0.1:27015")!
      const failures: Array<number> = []
      for (let second = 0; second < 320; second++) {
        yield* lab.pass(1)
        if (target.known.failures !== failures.length) failures.push(second)
        assert.strictEqual(target.known.state === "down", target.known.failures >= 2)
      }
      const pauses = failures.slice(1).map((at, i) => at - failures[i]!)
      assert.isTrue(
        pauses.every((pause) => Math.abs(pause - 10) <= 3),
        String(pauses)
      )
      yield* lab.serve(27_015)
      yield* lab.pass(12)
      assert.strictEqual(target.known.state, "up")
      yield* lab.pass(2)
      assert.deepStrictEqual(yield* listChanges(store), [
        ["state", "up", "down"],
        ["state", "down", "up"]
      ])
      const [incident, ...others] = yield* store.incidents({ limit: 10 })
      assert.strictEqual(others.length, 0)
      assert.deepInclude(incident, { reason: "Timeout", players: info.players, map: info.map, isMuted: false })
      const { down, up } = target.known.hour!.totalTime()
      assert.strictEqual(down, incident!.to! - incident!.from)
      // The stored down time is about 320 seconds, because the server was down for 320 seconds.
      assert.closeTo(down, 320_000, 10_000)
      assert.isAtLeast(up, 10_000)
    }))

  for (const [timeoutMs, what, profile] of [
    [3000, "requires a challenge", css],
    [10_000, "requires a challenge", css],
    [3000, "requires no challenge", profiles.ship()],
    [10_000, "requires no challenge", profiles.ship()]
  ] as const) {
    test(`receives all replies of a server that ${what} and replies after 1.2 s (timeout: ${timeoutMs} ms)`, (lab) =>
      Effect.gen(function* () {
        // In addition to this slow server, the monitor queries 20 servers with short round-trip times.
        const fast = Array.from({ length: 20 }, (_, i) => 27_101 + i)
        for (const port of fast) yield* lab.serve(port)
        yield* lab.serve(27_015, profile, { delayMs: 1200 })
        const { monitor, store } = yield* lab.watch(planFor([group([27_015, ...fast], { timeoutMs })]))
        const { known } = monitor.find("127.0.0.1:27015")!
        for (let second = 0; second < 120; second++) {
          yield* lab.pass(1)
          assert.notStrictEqual(known.state, "down")
          assert.strictEqual(known.failures, 0)
        }
        const { answered, asked } = known.hour!.total()
        assert.isAtLeast(answered, 11)
        assert.strictEqual(answered, asked)
        if (profile !== css) assert.closeTo(known.last!.rttMs, 1200, 20)
        assert.deepStrictEqual(yield* listChanges(store), [])
      }))
  }

  test("uses the interval `downIntervalMs` for a server that is down if this interval is configured", (lab) =>
    Effect.gen(function* () {
      const settings = { downAfter: 2, timeoutMs: 1000, downIntervalMs: 60_000 }
      const { monitor } = yield* lab.watch(planFor([group([27_015], settings)]))
      yield* lab.pass(25)
      const { known } = monitor.find("127.0.0.1:27015")!
      assert.deepInclude(known, { state: "down" })
      const before = known.failures
      yield* lab.pass(180)
      assert.strictEqual(known.failures - before, 3)
      yield* lab.serve(27_015)
      yield* lab.pass(65)
      assert.strictEqual(known.state, "up")
      const asked = known.hour!.total().asked
      yield* lab.pass(30)
      assert.closeTo(known.hour!.total().asked - asked, 3, 1)
    }))

  test("continues its queries when it can open sockets again", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const { faults } = lab.network
      lab.network.faults = { ...faults, descriptors: 0 }
      const { monitor } = yield* lab.watch(planFor([group([27_015])]))
      yield* lab.pass(20)
      assert.isAtLeast(monitor.counters.unsent, 1)
      lab.network.faults = faults
      yield* lab.pass(15)
      assert.strictEqual(monitor.find("127.0.0.1:27015")!.known.state, "up")
    }))

  test("reports changes of servers, but reports joined and left players only if this is configured", (lab) =>
    Effect.gen(function* () {
      const named = (name: string, map: string, players: ReadonlyArray<string>, version = "1") => ({
        ...css,
        info: { ...info, name, map, version, players: players.length, bots: 0, maxPlayers: 2 },
        players: {
          _tag: "PlayersReply" as const,
          truncated: false,
          announced: players.length,
          players: players.map((name) => ({ index: 0, name, score: 0, duration: 1 }))
        }
      })
      const quiet = { ...group([27_016]), name: "quiet", query: "all" as const }
      const withJoins = { ...group([27_015]), query: "all" as const, joins: true }
      const { monitor, store } = yield* lab.watch(planFor([withJoins, quiet]))
      const news: Array<Updates> = []
      monitor.subscribe((one) => void news.push(one))
      for (const profile of [
        named("a", "x", ["one"]),
        named("a", "y", ["one", "one"]),
        named("b", "y", ["two"], "2")
      ]) {
        const servers = [yield* lab.serve(27_015, profile), yield* lab.serve(27_016, profile)]
        yield* lab.pass(12)
        for (const { stop } of servers) yield* stop
      }
      yield* lab.pass(2)
      const expected = [
        ["map", "x", "y"],
        ["full", "false", "true"],
        ["joined", "", '["one"]'],
        ["name", "a", "b"],
        ["version", "1", "2"],
        ["full", "true", "false"],
        ["joined", "", '["two"]'],
        ["left", "", '["one","one"]']
      ]
      const of = (address: string) => listChanges(store, monitor.find(address)!.id)
      assert.deepStrictEqual(yield* of("127.0.0.1:27015"), expected)
      assert.deepStrictEqual(
        yield* of("127.0.0.1:27016"),
        expected.filter(([field]) => field !== "joined" && field !== "left")
      )
      // Each change is published once, in order.
      const ids = news.flatMap(({ changes }) => changes.map(({ id }) => id))
      assert.deepStrictEqual(
        ids,
        ids.toSorted((a, b) => a - b)
      )
      assert.strictEqual(new Set(ids).size, expected.length + 5)
    }))

  test("continues after a restart without repeated changes, lost samples or additional queries", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_015)
      const plan = planFor([group([27_015], { timeoutMs: 500, downAfter: 1 })])
      const first = yield* lab.watch(plan)
      yield* lab.pass(25)
      yield* stop
      yield* lab.pass(15)
      const before = first.monitor.find("127.0.0.1:27015")!.known
      yield* first.stop
      const second = yield* lab.watch(plan)
      const after = second.monitor.find("127.0.0.1:27015")!.known
      assert.deepStrictEqual(after.hour?.total(), before.hour?.total())
      assert.strictEqual(after.state, "down")
      assert.strictEqual(after.last?.summary.map, info.map)
      yield* lab.pass(30)
      assert.deepStrictEqual(yield* listChanges(second.store), [["state", "up", "down"]])
      assert.isAtMost(after.hour!.total().asked - before.hour!.total().asked, 4)
    }))

  test("stores the samples of each hour when the hour is complete", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const { monitor, store } = yield* lab.watch(planFor([group([27_015], { intervalMs: 60_000 })]))
      yield* lab.pass(2 * 3600, 60)
      const target = monitor.find("127.0.0.1:27015")!
      const hours = yield* store.hours(target.id, 0, 2e12)
      assert.strictEqual(hours.length, 2)
      assert.strictEqual(hours[1]!.total.asked, 60)
      assert.deepStrictEqual(hours[1]!.fine?.total(), hours[1]!.total)
    }))

  test("adopts a plan that adds targets, removes targets and changes the kind of query", (lab) =>
    Effect.gen(function* () {
      const [one, two] = [yield* lab.serve(27_015), yield* lab.serve(27_016)]
      const { monitor } = yield* lab.watch(planFor([group([27_015])]))
      yield* lab.pass(12)
      yield* monitor.follow(planFor([group([27_016], { query: "all" })]))
      const before = one.server.counters().requests
      yield* lab.pass(30)
      assert.strictEqual(one.server.counters().requests, before)
      assert.strictEqual(monitor.find("127.0.0.1:27015"), undefined)
      assert.isDefined(monitor.find("127.0.0.1:27016")!.known.last?.answer.rules)
      assert.isAtLeast(two.server.counters().requests, 8)
      yield* monitor.follow(planFor([group([27_015, 27_016], { query: "all" })]))
      yield* lab.pass(12)
      assert.strictEqual(monitor.targets.size, 2)
      for (const { known } of monitor.targets.values()) assert.strictEqual(known.state, "up")
    }))

  test("fails when another monitor opens the same store", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const plan = planFor([group([27_015], { intervalMs: 1000 })])
      const first = yield* lab.watch(plan)
      yield* lab.pass(3)
      yield* lab.watch(plan)
      yield* lab.pass(3)
      assert.match((yield* Effect.flip(first.monitor.taken)).message, /Another monitor/)
    }))
})
