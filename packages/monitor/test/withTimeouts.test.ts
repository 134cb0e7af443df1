/** Tests the time limits of a store whose database does not reply. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layerNone, Store, StoreFailed } from "../src/store/Store.ts"
import { withTimeouts } from "../src/store/withTimeouts.ts"

const batch = { known: [], changes: [], hours: [], incidents: [], positions: new Map<string, number>() }

describe("a store with time limits", () => {
  it.effect(
    "returns an error after the time limit, even if the caller is uninterruptible and the statement does not end",
    () =>
      Effect.gen(function* () {
        const none = yield* Store
        let ended = 0
        const stuck = Effect.onInterrupt(Effect.never, () =>
          Effect.andThen(
            Effect.sync(() => void ended++),
            Effect.never
          )
        )
        const store = withTimeouts({ ...none, write: () => stuck, claim: () => stuck, known: () => stuck })
        const attempts: ReadonlyArray<Effect.Effect<unknown, StoreFailed>> = [
          store.write(batch),
          store.claim("test", [1]),
          store.known("targets", [1])
        ]
        const running = yield* Effect.forEach(attempts, (attempt) => Effect.forkChild(Effect.uninterruptible(attempt)))
        yield* TestClock.adjust("9 seconds")
        assert.isTrue(running.every((fiber) => fiber.pollUnsafe() === undefined))
        yield* TestClock.adjust("2 seconds")
        for (const exit of yield* Fiber.awaitAll(running)) {
          assert.deepStrictEqual(
            exit,
            Exit.fail(new StoreFailed({ message: "the database did not respond within 10 s" }))
          )
        }
        assert.strictEqual(ended, 3)
      }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.effect("has a longer time limit for a large write than for a small write", () =>
    Effect.gen(function* () {
      const none = yield* Store
      const store = withTimeouts({ ...none, noteInFlight: () => Effect.sleep("50 seconds") })
      const many = yield* Effect.forkChild(store.noteInFlight("test", Array.from({ length: 30_000 }), 0))
      const few = yield* Effect.forkChild(Effect.exit(store.noteInFlight("test", [1], 0)))
      yield* TestClock.adjust("50 seconds")
      yield* Fiber.join(many)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(few)))
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )

  it.effect("waits for the end of a statement that is interrupted before its time limit", () =>
    Effect.gen(function* () {
      const none = yield* Store
      let isOver = false
      const slow = Effect.onInterrupt(Effect.never, () =>
        Effect.andThen(
          Effect.sleep("1 second"),
          Effect.sync(() => void (isOver = true))
        )
      )
      const claiming = yield* Effect.forkChild(withTimeouts({ ...none, claim: () => slow }).claim("test", [1]))
      yield* TestClock.adjust("1 second")
      const ending = yield* Effect.forkChild(Fiber.interrupt(claiming))
      yield* TestClock.adjust("500 millis")
      assert.isUndefined(ending.pollUnsafe())
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(ending)
      assert.isTrue(isOver)
    }).pipe(Effect.provide(Layer.fresh(layerNone)))
  )
})
