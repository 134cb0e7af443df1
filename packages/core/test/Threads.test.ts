/** Scans in several threads, over a network in memory, in virtual time. What the threads say to each other is cloned as between real ones. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { InvalidAddress } from "../src/Address.ts"
import type { AddressInput } from "../src/Client.ts"
import { Timeout, Unresolved } from "../src/QueryError.ts"
import { serveScan } from "../src/ScanThread.ts"
import type { ScanOptions } from "../src/ScanOptions.ts"
import { ScanProgress } from "../src/ScanProgress.ts"
import type { ScanQuery, ScanResult } from "../src/ScanResult.ts"
import { Excluded } from "../src/ScanResult.ts"
import type { ScanTargets } from "../src/Scanner.ts"
import { Scanner } from "../src/Scanner.ts"
import type { MemoryNetwork, NetworkOptions } from "../src/Testing.ts"
import { layerOf, makeNetwork } from "../src/Testing.ts"
import type { ThreadHandler } from "../src/Threads.ts"
import { Threads } from "../src/Threads.ts"
import { serve } from "./memoryServer.ts"
import * as messages from "./messages.ts"
import { answer, farmAt } from "./scanFarm.ts"

/** `count` servers, each in a network of its own. */
const farm = (network: MemoryNetwork, count: number) =>
  farmAt(network, count, (i) => `10.${(i >> 8) & 255}.${i & 255}.1`)

/** Nobody is there; each in a network of its own. */
const dead = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `10.200.${i & 255}.${i >> 8}:27015`)

/** Threads that are fibers, and who to tell when one is to break down. */
const threadsOn = Effect.fnUntraced(function* (network: MemoryNetwork) {
  const running = new Set<ThreadHandler>()
  const context = yield* Layer.build(layerOf(network))
  const start = Effect.fnUntraced(function* (handler: ThreadHandler) {
    let listener: ((message: unknown) => void) | undefined
    yield* Effect.acquireRelease(
      Effect.sync(() => running.add(handler)),
      () => Effect.sync(() => running.delete(handler))
    )
    const later = (deliver: (message: unknown) => void) => (message: unknown) => {
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => {
        if (running.has(handler)) deliver(copy)
      })
    }
    const port = {
      post: later(handler.onMessage),
      listen: (onMessage: (message: unknown) => void) => {
        listener = onMessage
      }
    }
    yield* Effect.forkScoped(Effect.provideContext(serveScan(port), context), { startImmediately: true })
    return { post: later((message) => listener!(message)) }
  })
  return { running, layer: Layer.succeed(Threads, { start }) }
})

const setUp = Effect.fnUntraced(function* (options?: NetworkOptions) {
  const network = yield* makeNetwork({ delayMs: 25, seed: 7, reportsClosedPorts: false, ...options })
  const threads = yield* threadsOn(network)
  const parts = Layer.merge(layerOf(network), threads.layer)
  const scanner = yield* Effect.provide(Scanner, yield* Layer.build(Layer.provide(Scanner.layer, parts)))
  const scanAll = Effect.fnUntraced(function* <Q extends ScanQuery = "info">(
    targets: ScanTargets,
    query?: Q,
    options?: ScanOptions
  ) {
    const fiber = yield* Effect.forkChild(Stream.runCollect(scanner.scan(targets, query, options)))
    yield* TestClock.adjust("2 minutes")
    const results: ReadonlyArray<ScanResult<Q>> = (yield* Fiber.join(fiber)).flat()
    return results
  })
  return { network, scanner, scanAll, running: threads.running }
})

/** Everything but what time has a part in, as JSON, in an order of its own. */
const comparable = (results: ReadonlyArray<ScanResult<ScanQuery>>): ReadonlyArray<string> =>
  results.map((result) => JSON.stringify({ ...result, rttMs: 0 }).replace(/within \d+ ms/, "in time")).toSorted()

describe("several threads", () => {
  it.effect("give what one gives: every kind of result, of target, and duplicates", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ names: { "one.example": "10.0.1.1", "two.example": "10.77.0.1" } })
      yield* serve(network, answer, { address: "10.77.0.1", port: 27_015 })
      yield* serve(network, answer, { address: "fd00::7", port: 27_015 })
      const object = { host: "10.88.0.1", port: 27_016 }
      const targets: ReadonlyArray<AddressInput> = [
        ...(yield* farm(network, 40)),
        ...dead(10),
        "10.0.2.1",
        "one.example",
        "two.example:27015",
        "none.example",
        "none.example:1",
        "no address",
        "[fd00::7]",
        "10.99.0.1:27015",
        "[fd00:0::7]:27015",
        object
      ]
      const run = Effect.fnUntraced(function* (threads: number) {
        const duplicates: Array<AddressInput> = []
        const progress = new ScanProgress()
        const onDuplicate = (target: AddressInput) => duplicates.push(target)
        const options = { threads, onDuplicate, progress, exclude: ["10.99.0.0/16"], random: () => 0 }
        const results = yield* scanAll(targets, "all", options)
        const { answered, failed, inFlight, parked, read, received } = progress
        const counts = { answered, failed, inFlight, parked, read, received, duplicates: progress.duplicates }
        return { results, duplicates, counts, rttMs: progress.rttMs(0.5) }
      })
      const alone = yield* run(1)
      assert.strictEqual(alone.results.length, targets.length - 3)
      for (const threads of [2, 4]) {
        const together = yield* run(threads)
        assert.deepStrictEqual(comparable(together.results), comparable(alone.results))
        for (const result of together.results) {
          if (result._tag === "Answered") assert.deepInclude({ ...result.info }, { ...messages.infoReply })
        }
        assert.sameDeepMembers(together.duplicates, alone.duplicates)
        assert.deepStrictEqual(together.counts, alone.counts)
        assert.strictEqual(together.rttMs, alone.rttMs)
        const failures = together.results.flatMap((result) => (result._tag === "Failed" ? [result] : []))
        for (const [kind, count] of [
          [Timeout, 11],
          [Unresolved, 2],
          [InvalidAddress, 1],
          [Excluded, 1]
        ] as const) {
          assert.strictEqual(failures.filter(({ error }) => error instanceof kind).length, count)
        }
        assert.isTrue(failures.some(({ target }) => target === object))
      }
    })
  )

  it.effect("keep to one limit per host together", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ names: { "host.example": "10.9.9.9" } })
      const perPort = new Set<number>()
      let [busy, most] = [0, 0]
      for (let port = 27_000; port < 27_060; port++) {
        const take = (request: string): ReadonlyArray<string> => {
          const replies = answer(request)
          if (!perPort.has(port)) most = Math.max(most, ++busy)
          perPort.add(port)
          if (replies[0] === messages.INFO) busy--
          return replies
        }
        yield* serve(network, take, { address: "10.9.9.9", port })
      }
      const targets = Array.from({ length: 60 }, (_, i) => `${i % 2 === 0 ? "10.9.9.9" : "host.example"}:${27_000 + i}`)
      const results = yield* scanAll(targets, "info", { perHost: 4, threads: 4 })
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Answered").length, 60)
      assert.isAtMost(most, 5)
    })
  )

  it.effect("keep to one rate together", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp({ loss: 0.05 })
      const targets = yield* farm(network, 400)
      const progress = new ScanProgress()
      yield* Effect.forkChild(Stream.runDrain(scanner.scan(targets, "info", { rate: 100, threads: 4, progress })))
      yield* TestClock.adjust("4 seconds")
      assert.isAtMost(progress.sent, 420)
      assert.isAtLeast(progress.sent, 320)
    })
  )

  it.effect("make a slow reader's scan slow, not large", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 5000)
      const progress = new ScanProgress()
      const pull = yield* Stream.toPull(scanner.scan(targets, "info", { concurrency: 100, threads: 2, progress }))
      const first = yield* Effect.forkChild(pull)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* TestClock.adjust("1 minute")
      const { read } = progress
      assert.isAtMost(read, 4500)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(progress.read, read)
      let count = 0
      for (let i = 0; i < 4; i++) {
        const next = yield* Effect.forkChild(pull)
        yield* TestClock.adjust("1 minute")
        count += (yield* Fiber.join(next)).flat().length
      }
      assert.isAbove(count, 500)
      assert.isAbove(progress.read, read)
    })
  )
})

describe("the end of a scan in threads", () => {
  it.effect("comes with the source's failure, after the results of the targets before", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 20)
      function* broken() {
        yield* targets
        throw new Error("the list is torn")
      }
      const seen: Array<ScanResult> = []
      const scan = Stream.runForEach(scanner.scan(broken(), "info", { threads: 3 }), (batch) =>
        Effect.sync(() => seen.push(...batch))
      )
      const fiber = yield* Effect.forkChild(Effect.flip(scan))
      yield* TestClock.adjust("10 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "TargetsFailed")
      assert.strictEqual(seen.length, 20)
    })
  )

  const isFreed = (network: MemoryNetwork, before: number, running: ReadonlySet<unknown>) => {
    assert.strictEqual(network.openSockets, before)
    assert.strictEqual(running.size, 0)
  }

  it.effect("frees every thread when it is interrupted", () =>
    Effect.gen(function* () {
      const { network, running, scanner } = yield* setUp()
      const before = network.openSockets
      const fiber = yield* Effect.forkChild(Stream.runDrain(scanner.scan(dead(500), "info", { threads: 4 })))
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(running.size, 4)
      assert.isAtLeast(network.openSockets, before + 4)
      yield* Fiber.interrupt(fiber)
      isFreed(network, before, running)
    })
  )

  it.effect("comes in good order when it is asked for: what has a result is given", () =>
    Effect.gen(function* () {
      const { network, running, scanner } = yield* setUp()
      const targets = yield* farm(network, 300)
      const before = network.openSockets
      const [progress, stop] = [new ScanProgress(), new AbortController()]
      const scan = scanner.scan([...targets, ...dead(500)], "info", { threads: 3, progress, stop: stop.signal })
      const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.tap(scan, () => Effect.sleep("10 seconds"))), {
        startImmediately: true
      })
      yield* TestClock.adjust("800 millis")
      stop.abort()
      yield* TestClock.adjust("10 minutes")
      const results = (yield* Fiber.join(fiber)).flat()
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Answered").length, 300)
      assert.strictEqual(results.length, progress.done)
      assert.isBelow(results.length, 800)
      isFreed(network, before, running)
    })
  )

  it.effect("comes with a thread that breaks down", () =>
    Effect.gen(function* () {
      const { network, running, scanner } = yield* setUp()
      const before = network.openSockets
      const scan = Stream.runDrain(scanner.scan(dead(500), "info", { threads: 3 }))
      const fiber = yield* Effect.forkChild(Effect.flip(scan))
      yield* TestClock.adjust("200 millis")
      const cause = new Error("out of memory")
      const [first] = running
      first!.onEnd(cause)
      const error = yield* Fiber.join(fiber)
      assert.deepInclude(error, { _tag: "ThreadFailed", cause })
      assert.include(error.message, "out of memory")
      isFreed(network, before, running)
    })
  )

  it.effect("comes at once where there are no threads, or a number that makes no sense", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const plain = yield* Layer.build(Layer.provide(Scanner.layer, layerOf(network)))
      const without = yield* Effect.provide(Scanner, plain)
      for (const [scan, threads] of [
        [without.scan, 2],
        [scanner.scan, 0],
        [scanner.scan, 1.5],
        [scanner.scan, 1000]
      ] as const) {
        const error = yield* Effect.flip(Stream.runDrain(scan([], "info", { threads })))
        assert.deepInclude(error, { _tag: "InvalidOption", option: "threads" })
      }
    })
  )
})
