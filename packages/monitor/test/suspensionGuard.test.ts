import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { StoreWriter } from "../src/watch/StoreWriter.ts"
import { SuspensionGuard } from "../src/watch/SuspensionGuard.ts"

/** Returns a guard with a clock that the test sets. Writes to the store finish when the test runs `confirm`. */
const setUp = Effect.fnUntraced(function* ({ isShared = true } = {}) {
  const written = yield* Deferred.make<void>()
  const state = { now: 0, flushes: 0, resumes: 0 }
  const flush = Effect.andThen(
    Effect.sync(() => void state.flushes++),
    Deferred.await(written)
  )
  const guard = new SuspensionGuard({
    isShared,
    clock: () => state.now,
    writer: { flush } as unknown as StoreWriter,
    scope: yield* Effect.scope,
    onResume: () => void state.resumes++
  })
  return { guard, state, confirm: Deferred.succeed(written, undefined) }
})

describe("a monitor that shares its store", () => {
  it.effect("continues its queries if the time between two checks of the guard is at most two seconds", () =>
    Effect.gen(function* () {
      const { guard, state } = yield* setUp()
      state.now = 2000
      assert.isFalse(guard.isHeld())
      yield* guard.check
      state.now = 4000
      assert.isFalse(guard.isHeld())
      assert.deepInclude(state, { flushes: 0, resumes: 0 })
    })
  )

  it.effect("sends no queries after a suspension until the store has confirmed a write", () =>
    Effect.gen(function* () {
      const { confirm, guard, state } = yield* setUp()
      state.now = 2001
      assert.isTrue(guard.isHeld())
      const checking = yield* Effect.forkChild(guard.check)
      yield* TestClock.adjust("1 second")
      assert.isTrue(guard.isHeld())
      assert.deepInclude(state, { flushes: 1, resumes: 0 })
      state.now = 5000
      yield* confirm
      yield* Fiber.join(checking)
      assert.isFalse(guard.isHeld())
      assert.strictEqual(state.resumes, 1)
    })
  )

  it.effect("continues its queries ten seconds after a suspension if the store does not respond", () =>
    Effect.gen(function* () {
      const { guard, state } = yield* setUp()
      state.now = 3000
      const checking = yield* Effect.forkChild(guard.check)
      yield* TestClock.adjust(9999)
      assert.strictEqual(state.resumes, 0)
      yield* TestClock.adjust(1)
      yield* Fiber.join(checking)
      assert.isFalse(guard.isHeld())
      assert.strictEqual(state.resumes, 1)
    })
  )
})

describe("a monitor with a store of its own", () => {
  it.effect("continues its queries immediately after a suspension", () =>
    Effect.gen(function* () {
      const { guard, state } = yield* setUp({ isShared: false })
      state.now = 60_000
      assert.isFalse(guard.isHeld())
    })
  )
})
