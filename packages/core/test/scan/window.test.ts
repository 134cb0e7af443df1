/**
 * Tests the window of a scan, which is the maximum number of targets in flight. The scan makes the window smaller if the network loses
 * datagrams, or if the system drops received datagrams.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import type { MemoryNetwork } from "../../src/testing/Testing.ts"
import { farm, setUp } from "../scanFarm.ts"

const dead = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `10.77.${i >> 8}.${i & 255}`)

/**
 * Makes each socket report the number of dropped datagrams that `dropped` returns. Returns an object whose field `times` counts how often
 * the scan read this number.
 */
const reportDropped = (network: MemoryNetwork, dropped: () => number) => {
  const calls = { times: 0 }
  const { open } = network.datagrams
  const counting: typeof open = (options, handler) =>
    Effect.map(open(options, handler), (handle) => ({
      ...handle,
      countDropped: () => {
        calls.times++
        return dropped()
      }
    }))
  Object.assign(network.datagrams, { open: counting })
  return calls
}

describe("a scan", () => {
  it.effect(
    "has a small window while the system drops datagrams, and a larger window when no more datagrams are dropped",
    () =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp()
        let [dropped, isDropping] = [0, true]
        reportDropped(network, () => (isDropping ? ++dropped : dropped))
        const progress = new ScanProgress()
        const meanwhile = Effect.gen(function* () {
          yield* TestClock.adjust("4 seconds")
          const { window } = progress
          assert.isBelow(window, 200)
          isDropping = false
          yield* TestClock.adjust("5 seconds")
          assert.isAbove(progress.window, window)
        })
        yield* scanAll(dead(5000), "info", { concurrency: 400, perNetwork: 1000, progress }, meanwhile)
      })
  )

  it.effect(
    "has a smaller window if many requests need a retransmission than if no request needs a retransmission",
    () =>
      Effect.gen(function* () {
        const windows: Array<number> = []
        for (const loss of [0, 0.3]) {
          const { network, scanAll } = yield* setUp({ loss })
          const targets = yield* farm(network, 1500)
          const progress = new ScanProgress()
          const options = { concurrency: 200, perNetwork: 1000, progress }
          const meanwhile = Effect.andThen(
            TestClock.adjust("600 millis"),
            Effect.sync(() => void windows.push(progress.window))
          )
          yield* scanAll(targets, "info", options, meanwhile)
        }
        assert.strictEqual(windows[0], 200)
        assert.isBelow(windows[1]!, 200)
      })
  )

  it.effect("stops reading the number of dropped datagrams when the scan ends or is interrupted", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const calls = reportDropped(network, () => 0)
      const ended = yield* Effect.forkChild(Stream.runDrain(scanner.scan(dead(3))))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(ended)
      const left = yield* Effect.forkChild(Stream.runDrain(scanner.scan(dead(300))))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.interrupt(left)
      const { times } = calls
      assert.isAbove(times, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(calls.times, times)
    })
  )
})
