/** Groups with `verdicts`: which findings a monitor stores and reports, and which requests it sends. */
import { assert, describe, it } from "@effect/vitest"
import { networkLayer } from "@sourcewire/core/testing"
import { ServerList } from "@sourcewire/emulator/machines"
import { afterAll } from "vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runSources } from "../src/sources/Sources.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type Updates } from "../src/watch/Monitor.ts"
import { css, info } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"
import { KEY, startSteamApi } from "./steamApi.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-verdicts-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${files++}.db`), use))

const list = new ServerList({ seed: 5, honest: 200, fakesOfEachKind: 50 })

/**
 * Starts the server with index `nth` among the servers of a kind. The connection times of its players are computed from the test's clock.
 */
const serve = Effect.fnUntraced(function* (lab: Lab, port: number, kind: string, nth = 0) {
  const clock = yield* Clock.Clock
  const server = [...list.servers()].filter((one) => one.kind === kind)[nth]!
  return yield* lab.serve(port, list.profile(server, () => clock.currentTimeMillisUnsafe()) as never)
})

const plan = (ports: ReadonlyArray<number>, more: object = {}) =>
  planFor([
    {
      name: "all",
      targets: ports.map((port) => `127.0.0.1:${port}`),
      query: "all",
      intervalMs: 15_000,
      verdicts: true,
      ...more
    }
  ])

describe("a group with verdicts", () => {
  test("stores the start and the end of findings about its servers", (lab) =>
    Effect.gen(function* () {
      yield* serve(lab, 27_001, "plain")
      yield* serve(lab, 27_002, "redirecting")
      const frozen = yield* serve(lab, 27_003, "frozen")
      const { monitor, store } = yield* lab.watch(plan([27_001, 27_002, 27_003]))
      const news: Array<Updates["changes"][number]> = []
      monitor.subscribe(({ changes }) => news.push(...changes))
      const findId = (port: number): number => monitor.find(`127.0.0.1:${port}`)!.id
      const kinds = (port: number) => monitor.findings(findId(port)).map(({ kind, strength }) => [kind, strength])
      yield* lab.pass(80)
      assert.deepStrictEqual([27_001, 27_002, 27_003].flatMap(kinds), [])
      yield* lab.pass(320, 5)
      assert.deepStrictEqual(kinds(27_001), [])
      assert.deepStrictEqual(kinds(27_002), [["redirect", "strong"]])
      assert.deepStrictEqual(kinds(27_003), [["frozen-play-times", "strong"]])
      assert.match(monitor.findings(findId(27_002))[0]!.observed, /sends players who join to 192\.0\.2\.77:27015/)
      // The frozen server is replaced by a real server.
      yield* frozen.stop
      yield* serve(lab, 27_003, "plain", 1)
      yield* lab.pass(1500, 10)
      assert.deepStrictEqual(kinds(27_003), [])
      assert.deepStrictEqual(kinds(27_002), [["redirect", "strong"]])
      const changes = yield* store.changes({ limit: 10, field: "finding" })
      assert.deepStrictEqual(
        changes.map(({ from, target, to }) => [target, from, to]),
        [
          [findId(27_003), "frozen-play-times", ""],
          [findId(27_003), "", "frozen-play-times"],
          [findId(27_002), "", "redirect"]
        ]
      )
      assert.deepStrictEqual(
        news.filter(({ field }) => field === "finding"),
        changes.toReversed()
      )
      const [past] = yield* store.findings({ target: findId(27_003), limit: 1 })
      assert.isAbove(past!.to!, past!.from - 1)
      // After a restart, the findings still exist, although the monitor has too few replies for a comparison.
      const again = yield* lab.watch(plan([27_001, 27_002, 27_003]))
      yield* lab.pass(400, 10)
      assert.strictEqual(again.monitor.findings(findId(27_002)).length, 1)
      assert.strictEqual((yield* store.changes({ limit: 10, field: "finding" })).length, 3)
      // When the group no longer has `verdicts`, its findings end.
      yield* again.monitor.follow(plan([27_001, 27_002, 27_003], { verdicts: false }))
      assert.isFalse(again.monitor.plan().hasVerdicts)
      yield* lab.pass(60, 5)
      assert.strictEqual(again.monitor.findings(findId(27_002)).length, 0)
    }))

  const requests = new Map<boolean, number>()
  for (const verdicts of [false, true]) {
    test(`sends one additional handshake request and no other additional requests (verdicts: ${verdicts})`, (lab) =>
      Effect.gen(function* () {
        const { server } = yield* serve(lab, 27_001, "plain")
        yield* lab.watch(plan([27_001], { intervalMs: 60_000, verdicts }))
        yield* lab.pass(1800, 20)
        requests.set(verdicts, server.counters().requests)
        if (verdicts) assert.strictEqual(requests.get(true), requests.get(false)! + 1)
      }))
  }
})

describe("Steam's counts of a group with verdicts", () => {
  /** A server that reports these numbers of players and bots in INFO. */
  const counting = (count: () => { readonly players: number; readonly bots?: number }) => ({
    ...css,
    info: () => ({ ...info, bots: 0, ...count(), maxPlayers: 64 })
  })
  const at = (port: number): string => `127.0.0.1:${port}`

  test("contradict a server whose replies before and after the list differ from the list, but no server that is filling", (lab) =>
    Effect.gen(function* () {
      const keyFile = join(directory, "steam.key")
      writeFileSync(keyFile, KEY)
      const [fake, filling, hidingBots, honest] = [27_001, 27_002, 27_003, [27_011, 27_012, 27_013, 27_014, 27_015]]
      const counts = new Map([[filling, 2], [hidingBots, 12], [fake, 24], ...honest.map((port) => [port, 9] as const)])
      for (const port of counts.keys()) {
        yield* lab.serve(port, counting(() => ({ players: counts.get(port)! })) as typeof css)
      }
      const steam = yield* Effect.acquireRelease(
        Effect.promise(() => startSteamApi()),
        ({ close }) => Effect.sync(close)
      )
      const list = () =>
        [...counts].map(([port, players]) => {
          const entry = { addr: at(port), appid: 240, players, bots: 0, secure: true }
          return port === fake
            ? { ...entry, players: 0 }
            : port === hidingBots
              ? { ...entry, players: players / 2, bots: players / 2 }
              : entry
        })
      steam.servers = list()
      const source = { steam: "\\appid\\240", keyFile, api: steam.url, allowLocal: true, refreshMs: 300_000 }
      const group = { name: "all", sources: [source], query: "all", intervalMs: 15_000, verdicts: true } as const
      const { monitor, store } = yield* lab.watch(planFor([group]))
      const services = Context.make(Monitor, monitor).pipe(Context.add(Store, store))
      yield* runSources((event) => void lab.events.push(event)).pipe(
        Effect.provideContext(services),
        Effect.provide(networkLayer(lab.network))
      )
      const passTo = Effect.fnUntraced(function* (seconds: number) {
        const end = 1_795_000_000_000 + seconds * 1000
        while ((yield* Clock.currentTimeMillis) < end) {
          yield* lab.pass(5, 5)
          // The emulated Steam API replies over HTTP, which takes real time and not virtual time.
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        }
      })
      const found = () =>
        Array.from(counts.keys(), (port) => {
          const findings = monitor.findings(monitor.find(at(port))?.id ?? -1)
          return findings
            .filter(({ kind }) => kind === "steam-count" || kind === "uncounted-bots")
            .map(({ kind, observed, strength }) => [port, kind, strength, observed] as const)
        }).flat()
      yield* passTo(340)
      assert.deepStrictEqual(found(), [])
      // The filling server now has more players than in the list that was read at 300 s, and more players than in its earlier replies.
      counts.set(filling, 24)
      yield* passTo(420)
      const both = [
        [hidingBots, "uncounted-bots", "strong", "Steam counts 6 bots, the server reports 0 bots among 12 players."],
        [fake, "steam-count", "strong", "The server reports 24 players, Steam counts 0."]
      ] as const
      assert.deepEqual<unknown>(found(), both)
      // The list that is read at 600 s contains the new number of players of the filling server, and the number that the fake server
      // reports.
      steam.servers = list().map((entry) => (entry.addr === at(fake) ? { ...entry, players: 24 } : entry))
      yield* passTo(1000)
      assert.deepEqual<unknown>(found(), both)
      yield* passTo(1400)
      assert.deepEqual<unknown>(found(), both.slice(0, 1))
      assert.isAtMost(steam.asked.length, 5)
      // The stored list contains Steam's counts, so that another instance can compare these counts with its replies.
      const [stored] = yield* store.lists(0)
      assert.include(stored!.text, '"counted"')
      assert.notInclude(stored!.text, KEY)
    }))
})
