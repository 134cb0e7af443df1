/**
 * Tests a target that names a game: in which order the monitor tries the target's candidate ports, and which of these ports the monitor
 * stores.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect } from "vitest"
import { targetIn } from "../src/config/target.ts"
import { afterReading, fromText, NOTHING, toText } from "../src/sources/FoundList.ts"
import { readList } from "../src/sources/readList.ts"
import { css, info } from "./answers.ts"
import { inLab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-candidates-"))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${files++}.db`), use))

const plan = (...targets: ReadonlyArray<string>) =>
  planFor([{ name: "all", targets, intervalMs: 15_000, timeoutMs: 1000 }])
const named = (name: string) => ({ ...css, info: { ...info, name } })

describe("a target that names a game", () => {
  it("has the most likely query port in its address, and a list of all candidate ports", () => {
    const target = (text: string) => Result.getOrThrow(targetIn(text))
    expect(target("unturned:192.0.2.1:27015")).toMatchObject({ address: "192.0.2.1:27015", ports: [27_015, 27_016] })
    expect(target("rust:192.0.2.1")).toMatchObject({ address: "192.0.2.1:28017", ports: [28_017, 28_016, 28_015] })
    expect(target("sandstorm:192.0.2.1:27131").ports[0]).toBe(27_131)
    expect(target("tf2:192.0.2.1")).toMatchObject({ address: "192.0.2.1:27015", ports: [] })
    expect(target("192.0.2.1:1")).toMatchObject({ address: "192.0.2.1:1", ports: [] })
    for (const wrong of ["nosuchgame:192.0.2.1", "asa:192.0.2.1", "169.254.1.1", "rust:"]) {
      expect([wrong, Result.isFailure(targetIn(wrong))]).toEqual([wrong, true])
    }
  })

  it.effect("is stored with its candidate ports until the target is removed from the stored list", () =>
    Effect.gen(function* () {
      const source = { keep: 2, max: 10, maxLossPercent: 100 }
      const read = (text: string) => readList(text, true)
      const first = afterReading(NOTHING, yield* read("rust:192.0.2.1\n192.0.2.2"), source, 1)
      const ports = new Map([["192.0.2.1:28017", [28_017, 28_016, 28_015]]])
      assert.deepStrictEqual(first.ports, ports)
      assert.deepStrictEqual(fromText(toText(first)), first)
      assert.deepStrictEqual(afterReading(first, { _tag: "Unchanged" }, source, 2).ports, ports)
      assert.deepStrictEqual(afterReading(first, { _tag: "Failed", message: "" }, source, 2).ports, ports)
      const second = afterReading(first, yield* read("192.0.2.2"), source, 3)
      assert.deepStrictEqual(second.ports, ports)
      assert.isUndefined(afterReading(second, yield* read("192.0.2.2"), source, 4).ports)
      // Earlier releases stored lists without ports.
      const { ports: _, ...old } = first
      assert.deepStrictEqual(fromText(toText(old)), old)
    })
  )

  test("is up after its first check even if only its last candidate port responds", (lab) =>
    Effect.gen(function* () {
      const { port: _, ...withoutPort } = info
      yield* lab.serve(28_015, { ...css, info: withoutPort })
      const { monitor, store } = yield* lab.watch(plan("rust:127.0.0.1"))
      yield* lab.pass(14)
      const target = monitor.find("127.0.0.1:28017")!
      assert.deepInclude(target.known, { state: "up", failures: 0 })
      assert.strictEqual(target.known.last?.answer.queryPort, 28_015)
      assert.strictEqual(target.known.last?.summary.connect, "steam://connect/127.0.0.1:28015")
      assert.deepStrictEqual(yield* store.changes({ limit: 10 }), [])
      assert.deepStrictEqual(
        lab.events.map(({ message }) => message),
        ["127.0.0.1:28017 responds at the query port 28015"]
      )
    }))

  test("is queried at the port of its first reply as long as this port responds, even after a restart of the monitor", (lab) =>
    Effect.gen(function* () {
      const { server, stop } = yield* lab.serve(27_016)
      const other = yield* lab.serve(27_015)
      yield* other.stop
      const first = yield* lab.watch(plan("unturned:127.0.0.1:27015"))
      yield* lab.pass(20)
      yield* first.stop
      const before = server.counters().requests
      // Now another server, which is not the monitored server, listens at the first candidate port.
      const { server: stranger } = yield* lab.serve(27_015, named("Another server"))
      const { monitor } = yield* lab.watch(plan("unturned:127.0.0.1:27015"))
      yield* lab.pass(40)
      const target = monitor.find("127.0.0.1:27015")!
      assert.isAbove(server.counters().requests, before)
      assert.strictEqual(stranger.counters().requests, 0)
      assert.strictEqual(target.known.last?.answer.queryPort, 27_016)
      // When the monitored server goes down, the target is down, although the other server still responds.
      yield* stop
      yield* lab.pass(120)
      assert.strictEqual(target.known.state, "down")
      assert.strictEqual(target.known.last?.summary.name, info.name)
    }))

  test("is found again if its server moves to another candidate port", (lab) =>
    Effect.gen(function* () {
      const { stop } = yield* lab.serve(27_016, named("Ours"))
      const { monitor } = yield* lab.watch(plan("unturned:127.0.0.1:27015"))
      yield* lab.pass(20)
      yield* stop
      yield* lab.serve(27_015, named("Ours"))
      yield* lab.pass(120)
      const { known } = monitor.find("127.0.0.1:27015")!
      assert.strictEqual(known.state, "up")
      assert.strictEqual(known.last?.answer.queryPort, 27_015)
    }))

  test("is down if the only responding candidate port belongs to another target", (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_016)
      const { monitor } = yield* lab.watch(plan("unturned:127.0.0.1:27015", "127.0.0.1:27016"))
      yield* lab.pass(60)
      assert.strictEqual(monitor.find("127.0.0.1:27016")!.known.state, "up")
      assert.strictEqual(monitor.find("127.0.0.1:27015")!.known.state, "down")
    }))

  test("is reported as down, and only once, if none of its candidate ports responds", (lab) =>
    Effect.gen(function* () {
      const { monitor, store } = yield* lab.watch(plan("rust:127.0.0.1"))
      yield* lab.pass(60)
      const { known } = monitor.find("127.0.0.1:28017")!
      assert.strictEqual(known.state, "down")
      assert.strictEqual(known.lastError?._tag, "Timeout")
      assert.isAtMost(known.failures, 5)
      assert.lengthOf(yield* store.changes({ limit: 10 }), 1)
    }))
})
