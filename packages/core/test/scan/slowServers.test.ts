/** Tests scans of slow servers among fast servers, and scans of dead servers, in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import type { Answered, ScanResult } from "../../src/scan/ScanResult.ts"
import type { ScanOptions } from "../../src/scan/ScanOptions.ts"
import { serve } from "../memoryServer.ts"
import * as messages from "../messages.ts"
import { answer, farm, setUp } from "../scanFarm.ts"

const SLOW = { address: "10.9.0.1", port: 27_015 }
const SLOW_MS = 1200
/** Round-trip time of the network, without the delay of a slow server, in ms. */
const NETWORK_MS = 55

const findSlow = (results: ReadonlyArray<ScanResult>) => results.find(({ target }) => target === SLOW.address)

describe("a server that replies after 1.2 s", () => {
  it.effect.each([3000, 10_000])(
    "is found among fast servers, and its result contains the correct round-trip time: timeoutMs %i",
    (timeoutMs) =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp()
        const targets = yield* farm(network, 200)
        yield* serve(network, () => [messages.INFO], SLOW, SLOW_MS)
        const results = yield* scanAll([...targets, SLOW.address], "info", { timeoutMs })
        const slow = findSlow(results) as Answered
        assert.strictEqual(slow._tag, "Answered")
        assert.approximately(slow.rttMs, SLOW_MS + NETWORK_MS, 10)
        assert.isTrue(slow.rttAmbiguous)
        assert.strictEqual(results.length, 201)
      })
  )

  it.effect("is found even if the server sends a challenge first", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 200)
      yield* serve(network, answer, SLOW, SLOW_MS)
      const slow = findSlow(yield* scanAll([...targets, SLOW.address], "info", { timeoutMs: 3000 }))
      assert.strictEqual(slow?._tag, "Answered")
    })
  )

  it.effect("does not count as congestion: the window does not shrink", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const slow = Array.from({ length: 100 }, (_, i) => `10.9.1.${i}`)
      for (const address of slow) yield* serve(network, () => [messages.INFO], { address, port: 27_015 }, SLOW_MS)
      // The scan adapts the window at regular intervals. This server replies 500 ms after the other slow servers. Therefore the scan adapts
      // the window at least once after the replies of those servers.
      yield* serve(network, () => [messages.INFO], SLOW, SLOW_MS + 500)
      const targets = yield* farm(network, 100)
      const progress = new ScanProgress()
      const windows: Array<number> = []
      const watching = Effect.gen(function* () {
        for (let i = 0; i < 100 && progress.done < 201; i++) {
          yield* TestClock.adjust(50)
          windows.push(progress.window)
        }
      })
      const options = { timeoutMs: 3000, concurrency: 201, progress }
      const results = yield* scanAll([...targets, ...slow, SLOW.address], "info", options, watching)
      assert.isTrue(results.every(({ _tag }) => _tag === "Answered"))
      assert.deepStrictEqual(
        windows,
        windows.toSorted((a, b) => a - b)
      )
      assert.strictEqual(progress.window, 201)
      assert.deepInclude(progress, { inFlight: 0, parked: 0 })
    })
  )
})

describe("a scan of dead servers", () => {
  /** Runs a scan of 50 live and 1000 dead servers, and returns its duration in ms of virtual time. */
  const measureDuration = Effect.fnUntraced(function* (options: ScanOptions) {
    const { network, scanner } = yield* setUp()
    const alive = yield* farm(network, 50)
    const dead = Array.from({ length: 1000 }, (_, i) => `10.200.${i >> 8}.${i & 255}`)
    const startedAt = yield* Clock.currentTimeMillis
    const results: Array<ScanResult> = []
    const fiber = yield* Effect.forkChild(
      Effect.andThen(
        Stream.runForEach(scanner.scan([...alive, ...dead], "info", options), (batch) =>
          Effect.sync(() => results.push(...batch))
        ),
        Clock.currentTimeMillis
      ),
      { startImmediately: true }
    )
    yield* TestClock.adjust("2 minutes")
    const endedAt = yield* Fiber.join(fiber)
    assert.strictEqual(results.length, 1050)
    assert.strictEqual(results.filter(({ _tag }) => _tag === "Answered").length, 50)
    return endedAt - startedAt
  })

  it.effect.each([{ concurrency: 100 }, { concurrency: 1000, perNetwork: 100 }])(
    "takes less than 10 s longer with a timeout of 10 s per target than with the default timeout: %j",
    (limits) =>
      Effect.gen(function* () {
        const usual = yield* measureDuration(limits)
        const patient = yield* measureDuration({ ...limits, timeoutMs: 10_000 })
        assert.isBelow(patient, usual + 10_000)
        assert.isAbove(patient, 10_000)
      })
  )

  it.effect("does not assume a long outage if all servers send a challenge, but no further reply", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      for (let i = 0; i < 50; i++) {
        yield* serve(network, (request) => answer(request).filter((hex) => hex.startsWith("ffffffff41")), {
          address: `10.9.2.${i}`,
          port: 27_015
        })
      }
      const startedAt = yield* Clock.currentTimeMillis
      let endedAt = startedAt
      const targets = Array.from({ length: 50 }, (_, i) => `10.9.2.${i}`)
      const progress = new ScanProgress()
      const watching = Effect.gen(function* () {
        for (let i = 0; i < 100 && progress.done < 50; i++) {
          yield* TestClock.adjust(200)
          endedAt = yield* Clock.currentTimeMillis
        }
      })
      const results = yield* scanAll(targets, "players", { timeoutMs: 5000, progress }, watching)
      assert.isTrue(results.every((result) => result._tag === "Failed" && result.error._tag === "Timeout"))
      // At first, the scan assumes an outage, because many servers that sent a challenge send no further reply. During this time, the clock
      // of the scan runs at a tenth of its normal speed.
      assert.isBelow(endedAt - startedAt, 20_000)
    })
  )
})
