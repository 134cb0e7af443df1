/** What others are told of those that are being asked. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { makeKeeper } from "../src/watch/Keeper.ts"
import { makeUnderWay } from "../src/watch/UnderWay.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { planFor } from "./lab.ts"

const group = [...planFor([{ name: "all", targets: ["192.0.2.1:1"] }]).targets.values()][0]!
const targetOf = (id: number): Watched =>
  new Watched(id, `192.0.2.${id}:1`, { host: `192.0.2.${id}`, port: 1 }, group, unknown())

describe("who is under way", () => {
  it.effect("is told soon and together, until what came of it is stored", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const state = { isAway: false, isHeld: false, intervalMs: 6000 }
      const none = yield* Store
      const store: typeof Store.Service = {
        ...none,
        noteUnderWay: (_owner, targets, _at, isMore) =>
          state.isAway
            ? Effect.fail(new StoreFailed({ message: "away" }))
            : Effect.sync(() => void told.push(`${isMore === true ? "more" : "all"} ${String(targets)}`))
      }
      const keeper = makeKeeper(
        store,
        () => undefined,
        () => undefined
      )
      const [one, two, foreign, three] = [1, 2, 3, 4].map(targetOf) as [Watched, Watched, Watched, Watched]
      const isOurs = (target: Watched): boolean => target !== foreign
      const underWay = makeUnderWay({
        store,
        keeper,
        owner: "test",
        isOurs,
        isHeld: () => state.isHeld,
        intervalMs: () => state.intervalMs
      })
      yield* Effect.forkChild(underWay.tell)
      const pass = TestClock.adjust("40 millis")
      yield* pass
      assert.deepStrictEqual(told, [])

      for (const target of [one, two, foreign]) underWay.begin(target)
      yield* pass
      // Between what is said of all, only of those who have come.
      for (const target of [three, foreign]) underWay.begin(target)
      yield* pass
      underWay.begin(foreign)
      yield* pass
      assert.deepStrictEqual(told, ["all 1,2", "more 4"])

      // One has its result, which is not stored.
      underWay.end(one)
      underWay.end(three)
      keeper.touch(one)
      yield* TestClock.adjust("250 millis")
      underWay.begin(foreign)
      yield* pass
      yield* keeper.flush
      yield* TestClock.adjust("250 millis")
      underWay.begin(foreign)
      yield* pass
      assert.deepStrictEqual(told.slice(2), ["all 2,1", "all 2"])

      // Nothing is said while it is held, and what could not be said is said when the store is back.
      state.isHeld = true
      underWay.begin(one)
      yield* pass
      state.isHeld = false
      state.isAway = true
      underWay.begin(one)
      yield* pass
      state.isAway = false
      underWay.begin(one)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told.slice(4), ["all 2,1"])

      // Where the next turn is a minute away a seventh of a second more or less is nothing.
      state.intervalMs = 60_000
      underWay.begin(three)
      yield* TestClock.adjust("1 second")
      underWay.begin(one)
      yield* pass
      underWay.begin(three)
      yield* TestClock.adjust("100 millis")
      const soon = told.length
      yield* TestClock.adjust("40 millis")
      assert.deepStrictEqual([soon, told.slice(5)], [7, ["all 2,1,4", "all 2,1,4", "more 4"]])
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
