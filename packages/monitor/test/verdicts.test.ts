/** Groups with `verdicts`: which findings a monitor stores and reports, and which requests it sends. */
import { assert, describe, it } from "@effect/vitest"
import { makeNetwork, networkLayer } from "@sourcewire/core/testing"
import { ServerList } from "@sourcewire/emulator/machines"
import { afterAll } from "vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as sqlite from "../src/store/sqlite.ts"
import { runSources } from "../src/sources/Sources.ts"
import type { Judgement } from "../src/store/findings.ts"
import { layerNone, Store } from "../src/store/Store.ts"
import { Monitor, type Updates } from "../src/watch/Monitor.ts"
import { UpdateFeed } from "../src/watch/UpdateFeed.ts"
import { Verdicts } from "../src/watch/Verdicts.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { css, info, lastAnswer } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"
import { KEY, startSteamApi } from "./steamApi.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-verdicts-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${files++}.db`), use))

const list = new ServerList({ seed: 5, honest: 200, fakesOfEachKind: 50 })

/**
 * Starts an emulated server of one kind from the generated list, such as `plain`. `nth` is the server's index in the list of servers of
 * this kind. The connection times of the players are computed from the test's clock.
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

/** A server that reports three players but lists no players. By default, the server does not reply to handshake requests. */
const countingServer = (more: object = {}, handshake?: object): typeof css => ({
  ...css,
  info: { ...info, players: 3, bots: 0, ...more },
  players: { _tag: "PlayersReply", announced: 0, players: [], truncated: false },
  ...({ handshake } as object)
})
const REDIRECT = { redirect: "192.0.2.77:27015" }

const kindsAt = (monitor: typeof Monitor.Service, port: number) =>
  monitor.findings(monitor.find(`127.0.0.1:${port}`)!.id).map(({ kind }) => kind)

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
      // The server with frozen play times is replaced by an honest server.
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
      // After a restart, the findings still exist, although the monitor has not yet received enough replies
      // to check the servers again.
      const again = yield* lab.watch(plan([27_001, 27_002, 27_003]))
      yield* lab.pass(400, 10)
      assert.strictEqual(again.monitor.findings(findId(27_002)).length, 1)
      assert.strictEqual((yield* store.changes({ limit: 10, field: "finding" })).length, 3)
      // When `verdicts` is disabled for the group, the findings about its servers end.
      yield* again.monitor.follow(plan([27_001, 27_002, 27_003], { verdicts: false }))
      assert.isFalse(again.monitor.plan().hasVerdicts)
      yield* lab.pass(60, 5)
      assert.strictEqual(again.monitor.findings(findId(27_002)).length, 0)
    }))

  test("reports a missing handshake after two requests without a reply, but only if the handshake of the game is known", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_001, countingServer())
      yield* lab.serve(27_002, countingServer({ appId: 730, gameId: "730" }))
      const { monitor } = yield* lab.watch(plan([27_001, 27_002], { intervalMs: 60_000 }))
      yield* lab.pass(680, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), [])
      yield* lab.pass(320, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["no-handshake"])
      assert.deepStrictEqual(kindsAt(monitor, 27_002), [])
    }))

  test("reports no missing handshake if the server replies to the second request", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_001, countingServer())
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000 }))
      yield* lab.pass(120, 10)
      yield* stop
      yield* lab.serve(27_001, countingServer({}, REDIRECT))
      yield* lab.pass(880, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["redirect"])
    }))

  test("sends no handshake request to an empty server", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_001, countingServer({ players: 0 }, REDIRECT))
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000 }))
      yield* lab.pass(1000, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), [])
    }))

  it.effect(
    "reports a constant number of players after three hours, but not if the number changed within this time",
    () =>
      Effect.gen(function* () {
        const now = (yield* Clock.Clock).currentTimeMillisUnsafe
        const targets = [1, 2].map((id) => {
          const address = `127.0.0.1:${27_000 + id}`
          const group = [...plan([27_000 + id]).targets.values()][0]!
          return new Watched(id, address, { host: "127.0.0.1", port: 27_000 + id }, group, unknown())
        })
        /** Stores a new reply for each target. `counts` contains the number of players in each of these replies. */
        const reply = (counts: ReadonlyArray<number>): void =>
          targets.forEach(({ known }, i) => {
            const { answer, ...last } = lastAnswer(now())
            known.state = "up"
            known.last = { ...last, answer: { ...answer, info: { ...info, bots: 0, players: counts[i]! } } }
          })
        let judgements: ReadonlyArray<Judgement> = []
        const none = yield* Store
        const verdicts = new Verdicts({
          targets: new Map(targets.map((target) => [target.id, target])),
          plan: () => plan([27_001, 27_002]),
          lists: () => new Map(),
          store: { ...none, judge: (given) => Effect.sync(() => ((judgements = given), [])) },
          refresh: Effect.void,
          updateFeed: new UpdateFeed(),
          onEvent: () => undefined,
          now
        })
        yield* Effect.forkScoped(verdicts.run)
        const kinds = () => judgements.map(({ findings }) => findings.map(({ kind }) => kind))
        // The monitor checks the replies for the first time after 70 seconds, and then every five minutes.
        yield* TestClock.adjust("60 seconds")
        for (let minute = 5; minute <= 180; minute += 5) {
          reply([7, minute <= 120 ? 5 : 6])
          yield* TestClock.adjust("5 minutes")
        }
        assert.deepStrictEqual(kinds(), [[], []])
        reply([7, 6])
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(kinds(), [["constant-count"], []])
        assert.strictEqual(
          judgements[0]!.findings[0]!.observed,
          "The server has reported 7 players in all 37 observations within 3.0 hours."
        )
      }).pipe(Effect.provide([Layer.fresh(layerNone), Layer.unwrap(Effect.map(makeNetwork(), networkLayer))]))
  )

  test("sends a handshake request if the server at an address is replaced, and does not compare the players of the two servers", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* serve(lab, 27_001, "plain")
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000 }))
      yield* lab.pass(700, 10)
      yield* stop
      yield* serve(lab, 27_001, "redirecting")
      yield* lab.pass(900, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["redirect"])
    }))

  test("compares the players of a server even if each of its replies contains a different SteamID", (lab) =>
    Effect.gen(function* () {
      const frozen = [...list.servers()].find(({ kind }) => kind === "frozen")!
      let id = 90_071_992_547_409_920n
      const changing = () => ({ ...list.info(frozen, 0), steamId: String(++id) })
      yield* lab.serve(27_001, { ...list.profile(frozen), info: changing } as never)
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000 }))
      yield* lab.pass(1500, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["frozen-play-times"])
    }))

  test("reports once that findings cannot be stored, and stores the findings when the store can be written again", (lab) =>
    Effect.gen(function* () {
      yield* serve(lab, 27_001, "redirecting")
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000 }))
      const sql = Context.get(yield* Layer.build(sqlite.layer(lab.file)), SqlClient)
      yield* sql`alter table finding rename to away`
      yield* lab.pass(700, 10)
      const reports = () => lab.events.filter(({ event }) => event === "verdicts")
      assert.lengthOf(reports(), 1)
      assert.deepInclude(reports()[0], { level: "warn" })
      assert.match(reports()[0]!.message, /^findings cannot be stored or read: .*finding/)
      yield* sql`alter table away rename to finding`
      yield* lab.pass(400, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["redirect"])
      assert.lengthOf(reports(), 1)
      yield* sql`alter table finding rename to away`
      yield* lab.pass(60, 10)
      assert.lengthOf(reports(), 2)
    }))

  test("reports findings if `verdicts` is enabled while the monitor runs", (lab) =>
    Effect.gen(function* () {
      yield* serve(lab, 27_001, "redirecting")
      const { monitor } = yield* lab.watch(plan([27_001], { intervalMs: 60_000, verdicts: false }))
      yield* lab.pass(500, 10)
      yield* monitor.follow(plan([27_001], { intervalMs: 60_000 }))
      yield* lab.pass(900, 10)
      assert.deepStrictEqual(kindsAt(monitor, 27_001), ["redirect"])
    }))

  const requests = new Map<boolean, number>()
  for (const verdicts of [false, true]) {
    test(`the setting \`verdicts\` causes only one additional request, which is the handshake (verdicts: ${verdicts})`, (lab) =>
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
  /** A server that reports in INFO the numbers of players and bots that `count` returns. */
  const counting = (count: () => { readonly players: number; readonly bots?: number }) => ({
    ...css,
    info: () => ({ ...info, bots: 0, ...count(), maxPlayers: 64 })
  })
  const at = (port: number): string => `127.0.0.1:${port}`

  test("cause a finding if they contradict the server's replies, but not if players have joined since the count", (lab) =>
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
      // The monitor read Steam's list at 300 s, when the filling server had 2 players. Now 22 more players
      // join the filling server.
      counts.set(filling, 24)
      yield* passTo(420)
      const both = [
        [hidingBots, "uncounted-bots", "strong", "Steam counts 6 bots, the server reports 0 bots among 12 players."],
        [fake, "steam-count", "strong", "The server reports 24 players, Steam counts 0."]
      ] as const
      assert.deepEqual<unknown>(found(), both)
      // At 600 s, the monitor reads Steam's list again. In the new list, the filling server and the fake server have 24 players each, as in
      // their replies.
      steam.servers = list().map((entry) => (entry.addr === at(fake) ? { ...entry, players: 24 } : entry))
      yield* passTo(1000)
      assert.deepEqual<unknown>(found(), both)
      yield* passTo(1400)
      assert.deepEqual<unknown>(found(), both.slice(0, 1))
      assert.isAtMost(steam.asked.length, 5)
      // The stored list contains Steam's counts, so that another instance can compare these counts with the replies of servers.
      const [stored] = yield* store.lists(0)
      assert.include(stored!.text, '"counted"')
      assert.notInclude(stored!.text, KEY)
    }))
})
