/** Groups with `verdicts`: which findings a monitor stores and reports, and what it sends. */
import { assert, describe, it } from "@effect/vitest"
import { ServerList } from "@sourcewire/emulator/machines"
import { afterAll } from "vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { News } from "../src/watch/Monitor.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-verdicts-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${files++}.db`), use))

const list = new ServerList({ seed: 5, honest: 200, fakesOfEachKind: 50 })

/** Serves the nth server of a kind; the times of its players follow the test's clock. */
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
  test("has findings about its servers, which begin and end", (lab) =>
    Effect.gen(function* () {
      yield* serve(lab, 27_001, "plain")
      yield* serve(lab, 27_002, "redirecting")
      const frozen = yield* serve(lab, 27_003, "frozen")
      const { monitor, store } = yield* lab.watch(plan([27_001, 27_002, 27_003]))
      const news: Array<News["changes"][number]> = []
      monitor.subscribe(({ changes }) => news.push(...changes))
      const idOf = (port: number): number => monitor.find(`127.0.0.1:${port}`)!.id
      const kinds = (port: number) => monitor.findings(idOf(port)).map(({ kind, strength }) => [kind, strength])
      yield* lab.pass(80)
      assert.deepStrictEqual([27_001, 27_002, 27_003].flatMap(kinds), [])
      yield* lab.pass(320, 5)
      assert.deepStrictEqual(kinds(27_001), [])
      assert.deepStrictEqual(kinds(27_002), [["redirect", "strong"]])
      assert.deepStrictEqual(kinds(27_003), [["frozen-play-times", "strong"]])
      assert.match(monitor.findings(idOf(27_002))[0]!.observed, /sends players who join to 192\.0\.2\.77:27015/)
      // A real server takes the place of the frozen one.
      yield* frozen.stop
      yield* serve(lab, 27_003, "plain", 1)
      yield* lab.pass(1500, 10)
      assert.deepStrictEqual(kinds(27_003), [])
      assert.deepStrictEqual(kinds(27_002), [["redirect", "strong"]])
      const changes = yield* store.changes({ limit: 10, field: "finding" })
      assert.deepStrictEqual(
        changes.map(({ from, target, to }) => [target, from, to]),
        [
          [idOf(27_003), "frozen-play-times", ""],
          [idOf(27_003), "", "frozen-play-times"],
          [idOf(27_002), "", "redirect"]
        ]
      )
      assert.deepStrictEqual(
        news.filter(({ field }) => field === "finding"),
        changes.toReversed()
      )
      const [past] = yield* store.findings({ target: idOf(27_003), limit: 1 })
      assert.isAbove(past!.to!, past!.from - 1)
      // A restart forgets no finding, although it has no replies to compare yet.
      const again = yield* lab.watch(plan([27_001, 27_002, 27_003]))
      yield* lab.pass(400, 10)
      assert.strictEqual(again.monitor.findings(idOf(27_002)).length, 1)
      assert.strictEqual((yield* store.changes({ limit: 10, field: "finding" })).length, 3)
      // Without `verdicts`, its findings end.
      yield* again.monitor.follow(plan([27_001, 27_002, 27_003], { verdicts: false }))
      assert.isFalse(again.monitor.plan().hasVerdicts)
      yield* lab.pass(60, 5)
      assert.strictEqual(again.monitor.findings(idOf(27_002)).length, 0)
    }))

  const requests = new Map<boolean, number>()
  for (const verdicts of [false, true]) {
    test(`sends one handshake request and no other datagram more than others: ${verdicts}`, (lab) =>
      Effect.gen(function* () {
        const { server } = yield* serve(lab, 27_001, "plain")
        yield* lab.watch(plan([27_001], { intervalMs: 60_000, verdicts }))
        yield* lab.pass(1800, 20)
        requests.set(verdicts, server.counters().requests)
        if (verdicts) assert.strictEqual(requests.get(true), requests.get(false)! + 1)
      }))
  }
})
