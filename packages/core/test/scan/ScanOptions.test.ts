/**
 * Tests invalid values that a JavaScript program can pass to a scan. An invalid option causes an error that names the option. An invalid
 * target gets a result that contains an error.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { scanWith } from "../../src/scan/PromiseScanner.ts"
import type { Scan } from "../../src/scan/PromiseScanner.ts"
import { checkedScanOptions } from "../../src/scan/ScanOptions.ts"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import { networkLayer, makeNetwork } from "../../src/testing/Testing.ts"
import { answered, farm, setUp } from "../scanFarm.ts"

const invalidTargets = [null, 5, "no address", true, [], {}, () => 1, Symbol("s"), 5n, new Date()]

describe("options", () => {
  const table: ReadonlyArray<readonly [option: string, ...bad: ReadonlyArray<unknown>]> = [
    ["concurrency", 0, -1, 1.5, "5", Number.NaN, Number.POSITIVE_INFINITY, 1e9, {}, 5n],
    ["rate", 0, 0.5, "fast", Number.NaN],
    ["perHost", 0, "4", []],
    ["perNetwork", 0, true],
    ["sockets", 0, 65, "2"],
    ["batching", 1, "yes", {}],
    ["timeoutMs", 0, -1, "100", Number.NaN, 1e9, {}],
    ["retries", -1, 1.5, "3", 101],
    ["encoding", "utf8", 5, {}],
    ["family", 5, "4"],
    ["exclude", 5, ["10.0.0.1/8"], ["x"], [5], [null], [{}], [{ family: 4, first: 1, prefix: 8 }], {}, () => []],
    ["exclude", [{ family: 4, first: 1n, prefix: 64 }], [{ family: 5, first: 1n, prefix: 8 }]],
    ["recurring", 1, "yes"],
    ["onDuplicate", 5, {}, "log"],
    ["progress", 5, {}, () => 1],
    ["stop", 5, {}, new AbortController()],
    ["random", 5, "x"]
  ]
  it.each(table)("are rejected if a value is invalid: %s", (option, ...bad) => {
    for (const value of bad) {
      const settings = checkedScanOptions({ [String(option)]: value })
      expect(Result.isFailure(settings) && settings.failure).toMatchObject({ _tag: "InvalidOption", option })
      expect(Result.isFailure(settings) && settings.failure.message).toContain(option)
    }
  })

  it.each([5, "info", true, null, [], () => 1])("must be an object, not %s", (options) => {
    const settings = checkedScanOptions(options as unknown as object)
    expect(Result.isFailure(settings) && settings.failure).toMatchObject({ _tag: "InvalidOption", option: "options" })
  })

  it("accept a string instead of an array for `exclude`", () => {
    const { excluded } = Result.getOrThrow(checkedScanOptions({ exclude: "10.0.0.0/8" }))
    expect([0x09ff_ffff, 0x0a00_0000, 0x0aff_ffff, 0x0b00_0000].map((address) => excluded?.has(address))).toEqual([
      false,
      true,
      true,
      false
    ])
  })

  it("replace an invalid value of the function `random` with a number that is at least 0 and below 1", () => {
    for (const bad of [Number.NaN, -3, 7, "x", undefined]) {
      const { timeouts } = Result.getOrThrow(checkedScanOptions({ random: () => bad as number }))
      expect(timeouts.random()).toBeGreaterThanOrEqual(0)
      expect(timeouts.random()).toBeLessThan(1)
    }
  })
})

/** Reads a scan to its end, and returns the error that the scan throws. */
const readToError = async (scan: Scan<"info">): Promise<unknown> => {
  try {
    for await (const _ of scan) continue
    return "the end"
  } catch (error) {
    return error
  }
}

describe("a scan", () => {
  const scan = async (...args: ReadonlyArray<unknown>): Promise<unknown> => {
    const network = await Effect.runPromise(makeNetwork())
    return readToError(
      scanWith(networkLayer(network))(...(args as Parameters<ReturnType<typeof scanWith>>)) as Scan<"info">
    )
  }

  it("rejects missing targets, and a value that cannot be a source of targets", async () => {
    const endless = function* () {
      yield "127.0.0.1:1"
    }
    for (const targets of [undefined, null, 5, {}, true, endless, Promise.resolve(["127.0.0.1:1"]), { port: 5 }]) {
      expect(await scan(targets)).toMatchObject({ _tag: "InvalidOption", option: "targets" })
    }
  })

  it("rejects an unknown query; if options are passed as the query, the error explains that options are the third argument", async () => {
    for (const query of ["infos", 5, {}, [], "toString"]) {
      expect(await scan(["127.0.0.1:1"], query)).toMatchObject({ _tag: "InvalidOption", option: "query" })
    }
    expect(await scan(["127.0.0.1:1"], { concurrency: 5 })).toHaveProperty(
      "message",
      expect.stringContaining("third argument")
    )
  })

  it("rejects an invalid signal", async () => {
    for (const signal of [5, {}, new AbortController()]) {
      expect(await scan([], "info", { signal })).toMatchObject({ _tag: "InvalidOption", option: "signal" })
    }
  })
})

describe("an invalid target", () => {
  it.effect("gets a result with an error, and does not affect other targets", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 3)
      const thrower = {
        get host(): string {
          throw new Error("no host today")
        }
      }
      const bad = [...invalidTargets, undefined, thrower, Object.create(null), { host: Symbol("h"), port: 1 }]
      const mixed = [targets[0], ...bad, targets[1], targets[2]] as ReadonlyArray<string>
      async function* later() {
        yield* mixed
      }
      for (const source of [mixed, new Set(mixed), later()]) {
        const results = yield* scanAll(source)
        assert.sameMembers(answered(results), targets)
        const failed = results.flatMap((result) => (result._tag === "Failed" ? [result] : []))
        assert.strictEqual(failed.length, bad.length)
        assert.sameMembers(
          failed.map(({ target }) => target as unknown),
          bad
        )
        for (const { error } of failed) {
          assert.strictEqual(error._tag, "InvalidAddress")
          assert.include(error.message, "is not an address")
        }
      }
      const [first] = yield* scanAll([null as unknown as string])
      assert.include((first as { readonly error: Error }).error.message, "null")
    })
  )
})

/** Runs a scan with an invalid source. Returns the message of the error that ends the scan. */
const getFailure = (targets: unknown) =>
  Effect.gen(function* () {
    const { scanner } = yield* setUp()
    const fiber = yield* Effect.forkChild(Effect.flip(Stream.runDrain(scanner.scan(targets as string))))
    yield* TestClock.adjust("10 seconds")
    return (yield* Fiber.join(fiber)).message
  })

describe("a source", () => {
  const throws = (why: string) => (): never => {
    throw new Error(why)
  }
  const cases: ReadonlyArray<readonly [name: string, source: unknown, why: string]> = [
    ["throws when it is iterated", { [Symbol.iterator]: throws("no iterator") }, "no iterator"],
    ["throws when it is iterated asynchronously", { [Symbol.asyncIterator]: throws("no iterator") }, "no iterator"],
    ["throws in next", { [Symbol.asyncIterator]: () => ({ next: throws("out of paper") }) }, "out of paper"],
    ["returns no promise", { [Symbol.asyncIterator]: () => ({ next: () => undefined }) }, "undefined"],
    ["returns a promise of an invalid step", { [Symbol.asyncIterator]: () => ({ next: async () => 5 }) }, "5"],
    ["returns an invalid step", { [Symbol.iterator]: () => ({ next: () => null }) }, "null"],
    ["returns an invalid iterator", { [Symbol.iterator]: () => 5 }, "5"]
  ]
  it.effect.each(cases)("ends the scan with an error if the source %s", ([, source, why]) =>
    Effect.map(getFailure(source), (message) => assert.include(message, why))
  )
})

describe("duplicates", () => {
  it.effect("do not block the event loop, even if an endless source returns only duplicates", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const [target] = yield* farm(network, 1)
      const progress = new ScanProgress()
      function* same() {
        for (;;) yield target!
      }
      async function* later() {
        yield* same()
      }
      for (const source of [same(), later()]) {
        const first = yield* Effect.forkChild(Stream.runHead(scanner.scan(source, "info", { progress })))
        for (let i = 0; i < 100; i++) {
          yield* TestClock.adjust("5 millis")
          yield* Effect.promise(() => Promise.resolve())
        }
        assert.isTrue(Option.isSome(yield* Fiber.join(first)))
      }
    })
  )

  it.effect("end the scan with an error if `onDuplicate` throws", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const [target] = yield* farm(network, 1)
      let calls = 0
      const onDuplicate = (): never => {
        calls++
        throw new Error("not twice")
      }
      const targets = [target!, target!, target!]
      const fiber = yield* Effect.forkChild(
        Effect.exit(Stream.runDrain(scanner.scan(targets, "info", { onDuplicate })))
      )
      yield* TestClock.adjust("10 seconds")
      const exit = yield* Fiber.join(fiber)
      assert.strictEqual(Exit.isFailure(exit) && (Cause.squash(exit.cause) as Error).message, "not twice")
      assert.strictEqual(calls, 1)
    })
  )
})

it("concurrent reads of batches return each result once", async () => {
  const network = await Effect.runPromise(makeNetwork())
  const targets = Array.from({ length: 40 }, (_, i) => `no address ${i}`)
  const iterator = scanWith(networkLayer(network))(targets).batches()[Symbol.asyncIterator]()
  const all = await Promise.all(Array.from({ length: 9 }, () => iterator.next()))
  const results = all.flatMap((step) => (step.done === true ? [] : step.value))
  expect(results.map(({ target }) => target).toSorted()).toEqual(targets.toSorted())
  expect(all.at(-1)).toEqual({ done: true, value: undefined })
})

it("a scan ends when its reader calls `return` during a read", async () => {
  const network = await Effect.runPromise(makeNetwork())
  const iterator = scanWith(networkLayer(network))(["192.0.2.1:27015"]).batches()[Symbol.asyncIterator]()
  const first = iterator.next()
  expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
  expect(await first).toEqual({ done: true, value: undefined })
  expect(network.openSockets).toBe(0)
})
