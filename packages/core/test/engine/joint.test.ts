/** Work that several wait for. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { copyOf, Joint } from "../../src/engine/joint.ts"
import { Timeout } from "../../src/engine/QueryError.ts"
import { infoReply, playersReply, rulesReply } from "../messages.ts"

/** Work that counts how often it was begun and given up, and ends when told to. */
const setUp = Effect.gen(function* () {
  const joint = new Joint(Effect.runForkWith(yield* Effect.context<never>()))
  const end = yield* Deferred.make<ReadonlyArray<number>, string>()
  const counts = { begun: 0, givenUp: 0 }
  const work = Effect.suspend(() => {
    counts.begun++
    return Effect.onInterrupt(Deferred.await(end), () => Effect.sync(() => void counts.givenUp++))
  })
  const join = (name = "A", isOpen?: () => boolean) =>
    Effect.forkChild(joint.join(name, work, isOpen), { startImmediately: true })
  return { counts, end, join }
})

describe("work", () => {
  it.effect("is done once for all who want it at the same time, each of whom gets an outcome of his own", () =>
    Effect.gen(function* () {
      const { counts, end, join } = yield* setUp
      const fibers = yield* Effect.all([join(), join(), join()])
      yield* Deferred.succeed(end, [1, 2])
      const outcomes = yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(outcomes, [
        [1, 2],
        [1, 2],
        [1, 2]
      ])
      assert.strictEqual(new Set(outcomes).size, 3)
      assert.deepStrictEqual(counts, { begun: 1, givenUp: 0 })
    })
  )

  it.effect("of another name is other work, and so is what begins afterwards", () =>
    Effect.gen(function* () {
      const { counts, end, join } = yield* setUp
      const fibers = yield* Effect.all([join("A"), join("B")])
      yield* Deferred.succeed(end, [])
      yield* Fiber.joinAll(fibers)
      yield* Effect.flatMap(join("A"), Fiber.join)
      assert.deepStrictEqual(counts, { begun: 3, givenUp: 0 })
    })
  )

  it.effect("fails for all", () =>
    Effect.gen(function* () {
      const { end, join } = yield* setUp
      const fibers = yield* Effect.all([join(), join()])
      yield* Deferred.fail(end, "no")
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      for (const exit of exits) assert.deepStrictEqual(exit, Exit.fail("no"))
    })
  )

  it.effect.each([
    [0, 1],
    [1, 0]
  ])("goes on for the other when one gives up (the %ith first), and is given up with the last", ([first, second]) =>
    Effect.gen(function* () {
      const { counts, join } = yield* setUp
      const fibers = yield* Effect.all([join(), join()])
      yield* Fiber.interrupt(fibers[first!]!)
      assert.deepStrictEqual(counts, { begun: 1, givenUp: 0 })
      yield* Fiber.interrupt(fibers[second!]!)
      assert.deepStrictEqual(counts, { begun: 1, givenUp: 1 })
    })
  )

  it.effect("given up is not joined", () =>
    Effect.gen(function* () {
      const { counts, end, join } = yield* setUp
      yield* Fiber.interrupt(yield* join())
      const again = yield* join()
      yield* Deferred.succeed(end, [7])
      assert.deepStrictEqual(yield* Fiber.join(again), [7])
      assert.deepStrictEqual(counts, { begun: 2, givenUp: 1 })
    })
  )

  it.effect("that is closed to others is not joined, and the end of it does not close what came after", () =>
    Effect.gen(function* () {
      const { counts, end, join } = yield* setUp
      let isOpen = true
      const early = yield* join("A", () => isOpen)
      isOpen = false
      const late = yield* join("A")
      yield* Fiber.interrupt(early)
      const last = yield* join("A")
      assert.deepStrictEqual(counts, { begun: 2, givenUp: 1 })
      yield* Deferred.succeed(end, [])
      yield* Fiber.joinAll([late, last])
    })
  )

  it.effect("that ends at once is not left behind", () =>
    Effect.gen(function* () {
      const joint = new Joint(Effect.runForkWith(yield* Effect.context<never>()))
      let begun = 0
      const work = Effect.sync(() => ++begun)
      const join = joint.join("A", work)
      assert.deepStrictEqual([yield* join, yield* join], [1, 2])
    })
  )
})

describe("a copy", () => {
  it.each([infoReply, playersReply, rulesReply, [1, [2, { a: null }]], "text", 1, null, undefined, true])(
    "is equal: %o",
    (value) => {
      expect(copyOf(value)).toEqual(value)
    }
  )

  it("has nothing in common that could be changed", () => {
    const copy = copyOf(playersReply)
    expect(copy).not.toBe(playersReply)
    expect(copy.players).not.toBe(playersReply.players)
    expect(copy.players[0]).not.toBe(playersReply.players[0])
  })

  it("shares errors", () => {
    const error = new Timeout({ message: "late", phase: "request", sent: 1, received: 0 })
    expect(copyOf({ errors: { players: error } }).errors.players).toBe(error)
  })
})
