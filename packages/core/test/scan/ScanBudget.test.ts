/** Tests several scans that share the limits of one {@link ScanBudget}, in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { ScanBudget } from "../../src/scan/ScanBudget.ts"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import { answered, farm, setUp } from "../scanFarm.ts"

describe("a budget", () => {
  it.effect("divides the rate equally among scans if each of them could use more than its share", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 3000)
      const budget = new ScanBudget({ rate: 300 })
      const all = [0, 1, 2].map(() => new ScanProgress())
      for (const [i, progress] of all.entries()) {
        const own = targets.filter((_, at) => at % 3 === i)
        yield* Effect.forkChild(Stream.runDrain(scanner.scan(own, "info", { budget, progress })))
      }
      yield* TestClock.adjust("5 seconds")
      const sent = all.map((progress) => progress.sent)
      assert.approximately(sent[0]! + sent[1]! + sent[2]!, 5 * 300, 15)
      for (const some of sent) assert.approximately(some, 5 * 100, 50)
    })
  )

  it.effect("reserves no part of the rate for scans that have no targets to query", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 3000)
      const budget = new ScanBudget({ rate: 300 })
      let looks = 0
      const { waitMs } = budget
      budget.waitMs = (scan, timing) => {
        looks++
        return waitMs.call(budget, scan, timing)
      }
      const nothing = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<string>>(() => {}) }) }
      yield* Effect.forkChild(Stream.runDrain(scanner.scan(nothing, "info", { budget })))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(looks, 1)
      const progress = new ScanProgress()
      yield* Effect.forkChild(Stream.runDrain(scanner.scan(targets, "info", { budget, progress })))
      yield* TestClock.adjust("5 seconds")
      assert.approximately(progress.sent, 5 * 300, 15)
    })
  )

  it.effect("limits the queries in flight per network for all scans together", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 100)
      const dead = (from: number) => Array.from({ length: 50 }, (_, i) => `10.0.0.${from + i}:1`)
      const budget = new ScanBudget({ perNetwork: 20 })
      const all = [0, 1].map(() => new ScanProgress())
      const scans = yield* Effect.forEach(all, (progress, i) => {
        const own = [...dead(50 * i), ...targets.filter((_, at) => at % 2 === i)]
        return Effect.forkChild(Stream.runCollect(scanner.scan(own, "info", { budget, progress })))
      })
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(all[0]!.inFlight + all[1]!.inFlight, 20)
      assert.isAbove(all[0]!.parked, 0)
      assert.isAbove(all[1]!.parked, 0)
      yield* TestClock.adjust("1 minute")
      const results = (yield* Effect.forEach(scans, Fiber.join)).flat(2)
      assert.strictEqual(results.length, 200)
      assert.sameMembers(answered(results), targets)
    })
  )

  it("lets one scan use the whole rate while the other scan sends nothing, and divides the rate equally when both scans send again", () => {
    const budget = new ScanBudget({ rate: 1000 })
    const [one, two] = [{}, {}]
    const taken = new Map([
      [one, 0],
      [two, 0]
    ])
    const pass = (fromMs: number, toMs: number, scans: ReadonlyArray<object>): void => {
      for (let now = fromMs; now < toMs; now++) {
        for (const scan of scans) {
          while (budget.waitMs(scan, { now: () => now }) === 0) {
            budget.bucket!.debit(now)
            taken.set(scan, taken.get(scan)! + 1)
          }
        }
      }
    }
    pass(0, 1000, [one, two])
    assert.approximately(taken.get(one)!, 500, 30)
    pass(1000, 2000, [one])
    assert.approximately(taken.get(one)!, 1500, 50)
    pass(2000, 3000, [two, one])
    assert.approximately(taken.get(two)!, 1000, 60)
  })
})
