/** Name lookups, in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { timing } from "../../src/engine/effectTiming.ts"
import type { Family, ResolvedAddress } from "../../src/engine/Datagrams.ts"
import { HostLookup, lookUp } from "../../src/engine/lookup.ts"
import { Unresolved } from "../../src/engine/QueryError.ts"
import { MAX_LOOKUPS } from "../../src/Limits.ts"

/** A lookup whose resolver needs `ms` for each name. */
const setUp = Effect.fnUntraced(function* (ms: number, remembered?: number) {
  const resolvedHosts: Array<string> = []
  let [now, most, interrupted] = [0, 0, 0]
  const resolve = (host: string, family?: Family) =>
    Effect.gen(function* () {
      resolvedHosts.push(host)
      most = Math.max(most, ++now)
      yield* Effect.onInterrupt(Effect.sleep(ms), () => Effect.sync(() => void interrupted++))
      return { address: `192.0.2.${host.length}`, family: family ?? 4 } satisfies ResolvedAddress
    }).pipe(Effect.ensuring(Effect.sync(() => void now--)))
  const lookup = new HostLookup(resolve, yield* timing, Effect.runForkWith(yield* Effect.context<never>()), remembered)
  const forkLookup = (host: string, timeoutMs = 1000, family?: Family) =>
    Effect.forkChild(Effect.result(lookup.lookUp(host, timeoutMs, family)), { startImmediately: true })
  return { resolvedHosts, lookup, forkLookup, counts: () => ({ most, now, interrupted }) }
})

const hosts = (count: number) => Array.from({ length: count }, (_, i) => `host-${i}.example`)

describe("names", () => {
  it.effect("are looked up a few at a time, and the time limit of a name begins when its lookup begins", () =>
    Effect.gen(function* () {
      const { resolvedHosts, counts, forkLookup } = yield* setUp(900)
      const fibers = yield* Effect.forEach(hosts(10 * MAX_LOOKUPS), (host) => forkLookup(host))
      assert.strictEqual(resolvedHosts.length, MAX_LOOKUPS)
      yield* TestClock.adjust(9000)
      const results = yield* Fiber.joinAll(fibers)
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      assert.deepStrictEqual(counts(), { most: MAX_LOOKUPS, now: 0, interrupted: 0 })
    })
  )

  it.effect("the lookup of a name fails at the time limit if no reply arrives, and the next name is looked up", () =>
    Effect.gen(function* () {
      const { resolvedHosts, counts, forkLookup } = yield* setUp(5000)
      const fibers = yield* Effect.forEach(hosts(MAX_LOOKUPS + 1), (host) => forkLookup(host))
      yield* TestClock.adjust(1000)
      assert.strictEqual(resolvedHosts.length, MAX_LOOKUPS + 1)
      yield* TestClock.adjust(1000)
      for (const result of yield* Fiber.joinAll(fibers)) {
        assert.deepInclude(result._tag === "Failure" ? { ...result.failure } : {}, { _tag: "Unresolved", local: true })
      }
      assert.deepStrictEqual(counts(), { most: MAX_LOOKUPS, now: 0, interrupted: MAX_LOOKUPS + 1 })
    })
  )

  it.effect("are looked up once if several equal requests arrive at the same time", () =>
    Effect.gen(function* () {
      const { resolvedHosts, forkLookup } = yield* setUp(10)
      yield* Effect.all([
        forkLookup("a"),
        forkLookup("a"),
        forkLookup("b"),
        forkLookup("a", 1000, 6),
        forkLookup("a", 2000)
      ])
      assert.deepStrictEqual(resolvedHosts, ["a", "b", "a", "a"])
      yield* TestClock.adjust(10)
      yield* forkLookup("a")
      assert.strictEqual(resolvedHosts.length, 5)
    })
  )

  it.effect.each([0, 1])(
    "a lookup for two requests ends when both requests are interrupted, and a later request starts a new lookup (interrupted first: request %i)",
    (first) =>
      Effect.gen(function* () {
        const { resolvedHosts, counts, forkLookup } = yield* setUp(900)
        const fibers = yield* Effect.all([forkLookup("a"), forkLookup("a")])
        yield* Fiber.interrupt(fibers[first]!)
        assert.deepStrictEqual(counts(), { most: 1, now: 1, interrupted: 0 })
        yield* Fiber.interrupt(fibers[1 - first]!)
        assert.deepStrictEqual(counts(), { most: 1, now: 0, interrupted: 1 })
        const again = yield* forkLookup("a")
        yield* TestClock.adjust(900)
        assert.isTrue(Result.isSuccess(yield* Fiber.join(again)))
        assert.strictEqual(resolvedHosts.length, 2)
      })
  )

  it.effect("if the lookup of a name exceeds the time limit, all concurrent requests for this name fail", () =>
    Effect.gen(function* () {
      const { forkLookup } = yield* setUp(5000)
      const fibers = yield* Effect.all([forkLookup("a"), forkLookup("a"), forkLookup("a")])
      yield* TestClock.adjust(1000)
      for (const result of yield* Fiber.joinAll(fibers)) assert.isTrue(Result.isFailure(result))
    })
  )

  it.effect("are looked up again for a later request, even if the first lookup ended immediately", () =>
    Effect.gen(function* () {
      let lookups = 0
      const resolve = () => Effect.sync(() => ({ address: `192.0.2.${++lookups}`, family: 4 }) as const)
      const lookup = new HostLookup(resolve, yield* timing, Effect.runForkWith(yield* Effect.context<never>()))
      const found = [yield* lookup.lookUp("a", 1000), yield* lookup.lookUp("a", 1000)]
      assert.deepStrictEqual(
        found.map(({ address }) => address),
        ["192.0.2.1", "192.0.2.2"]
      )
    })
  )

  it.effect("are cached if the cache is enabled, and the least recently used names are dropped", () =>
    Effect.gen(function* () {
      const { resolvedHosts, forkLookup } = yield* setUp(10, 2)
      for (const host of ["a", "b", "a", "c", "a", "b"]) {
        const fiber = yield* forkLookup(host)
        yield* TestClock.adjust(10)
        assert.isTrue(Result.isSuccess(yield* Fiber.join(fiber)))
      }
      assert.deepStrictEqual(resolvedHosts, ["a", "b", "c", "b"])
    })
  )

  it.effect("a numeric address is not looked up", () =>
    Effect.gen(function* () {
      const resolve = () => Effect.die("It was looked up.")
      const found = yield* lookUp(resolve, { host: "::1", family: 6 }, 1000, yield* timing)
      assert.deepStrictEqual(found, { address: "::1", family: 6 })
    })
  )

  describe("a name whose name server does not respond", () => {
    const makeUnresolved = (host: string) => new Unresolved({ message: "No name server answered.", host, local: true })
    const unknownName = new Unresolved({ message: "No such name.", host: "a" })
    /** A lookup whose resolver returns these outcomes in order, and repeats the last outcome. */
    const makeLookup = Effect.fnUntraced(function* (...outcomes: ReadonlyArray<ResolvedAddress | Unresolved>) {
      let lookups = 0
      const resolve = () =>
        Effect.suspend(() => {
          const outcome = outcomes[Math.min(lookups++, outcomes.length - 1)]!
          return outcome instanceof Unresolved ? Effect.fail(outcome) : Effect.succeed(outcome)
        })
      const lookup = new HostLookup(resolve, yield* timing, Effect.runForkWith(yield* Effect.context<never>()), 10)
      const lookUpFor = Effect.fnUntraced(function* (ms: number) {
        const fiber = yield* Effect.forkChild(Effect.result(lookup.lookUp("a", 1000)), { startImmediately: true })
        yield* TestClock.adjust(ms)
        return yield* Fiber.join(fiber)
      })
      return { lookUpFor, lookups: () => lookups }
    })
    const found = { address: "192.0.2.1", family: 4 } as const

    it.effect("is looked up again until a name server responds", () =>
      Effect.gen(function* () {
        const { lookups, lookUpFor } = yield* makeLookup(makeUnresolved("a"), makeUnresolved("a"), found)
        assert.deepStrictEqual(yield* lookUpFor(200), Result.succeed(found))
        assert.strictEqual(lookups(), 3)
      })
    )

    it.effect("causes an error after the time limit, and the error is not cached", () =>
      Effect.gen(function* () {
        const { lookUpFor } = yield* makeLookup(...Array.from({ length: 10 }, () => makeUnresolved("a")), found)
        assert.deepInclude(yield* Effect.flip(Effect.fromResult(yield* lookUpFor(1000))), {
          message: "No name server answered.",
          local: true
        })
        assert.deepStrictEqual(yield* lookUpFor(0), Result.succeed(found))
      })
    )

    it.effect(
      "causes an error if a name server later reports that the name does not exist, and this error is cached",
      () =>
        Effect.gen(function* () {
          const { lookups, lookUpFor } = yield* makeLookup(makeUnresolved("a"), unknownName)
          assert.deepStrictEqual(yield* lookUpFor(100), Result.fail(unknownName))
          assert.deepStrictEqual(yield* lookUpFor(0), Result.fail(unknownName))
          assert.strictEqual(lookups(), 2)
        })
    )
  })
})
