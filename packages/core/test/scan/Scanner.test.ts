/** Scans over a network in memory, in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { ScanProgress } from "../../src/scan/ScanProgress.ts"
import type { ScanResult } from "../../src/scan/ScanResult.ts"
import type { MemoryNetwork } from "../../src/testing/Testing.ts"
import { seededRandom } from "../../src/testing/Testing.ts"
import { serve } from "../memoryServer.ts"
import * as messages from "../messages.ts"
import { answer, answered, farm, setUp } from "../scanFarm.ts"

describe("a scan", () => {
  it.effect("finds all servers, reports dead targets, and sends few retransmissions to live servers", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ loss: 0.01 })
      const alive = yield* farm(network, 900)
      const dead = Array.from({ length: 100 }, (_, i) => `10.200.0.${i}:27015`)
      const progress = new ScanProgress()
      const results = yield* scanAll([...dead, ...alive], "info", { progress })
      assert.sameMembers(answered(results), alive)
      assert.strictEqual(results.length, 1000)
      const failures = results.flatMap((result) => (result._tag === "Failed" ? [result] : []))
      assert.sameMembers(
        failures.map(({ target }) => target),
        dead
      )
      assert.isTrue(failures.every(({ error, sent }) => error._tag === "Timeout" && sent === 5))
      assert.deepInclude(progress, { read: 1000, answered: 900, failed: 100, inFlight: 0, parked: 0 })
      // The scan sends two datagrams to each live server, five to each dead target, and at most 150 retransmissions to live servers.
      assert.isAtMost(progress.sent, 2 * 900 + 5 * 100 + 150)
      assert.approximately(progress.rttMs(0.5)!, 55, 10)
    })
  )

  it.effect("finds nearly all servers if 10 % of the datagrams are lost in each direction", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ loss: 0.1, duplicate: 0.1, reorder: 0.1 })
      const targets = yield* farm(network, 1000)
      const progress = new ScanProgress()
      const results = yield* scanAll(targets, "info", { progress })
      assert.isAtLeast(answered(results).length, 990)
      const isGuess = (result: ScanResult): boolean => result._tag === "Answered" && result.rttAmbiguous === true
      // Each server first sends a challenge, so most RTTs are unambiguous. Ambiguous RTTs are not in the statistics.
      assert.isBelow(results.filter(isGuess).length, 50)
      const most = Math.max(
        ...results.map((result) => (result._tag === "Answered" && !isGuess(result) ? result.rttMs : 0))
      )
      assert.isAtMost(progress.rttMs(1)!, 1.1 * most)
    })
  )

  it.effect.each(["info", "all"] as const)(
    "counts the targets that needed a retransmission, and no other targets: %s",
    (query) =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp()
        const targets = yield* farm(network, 300)
        const progress = new ScanProgress()
        network.faults = { ...network.faults, loss: 1 }
        const meanwhile = Effect.gen(function* () {
          yield* TestClock.adjust(50)
          network.faults = { ...network.faults, loss: 0 }
        })
        // Only the requests to the first ten targets are retransmitted. The scan reuses the objects of these targets for the other
        // 290 targets.
        const results = yield* scanAll(targets, query, { concurrency: 10, progress }, meanwhile)
        assert.sameMembers(answered(results), targets)
        assert.strictEqual(progress.resent, 10)
      })
  )

  it.effect("reports no percentiles if all round-trip times are ambiguous", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = Array.from({ length: 50 }, (_, i) => `10.0.0.${i}:27015`)
      for (const target of targets) {
        let requests = 0
        // The server sends no challenge, and does not reply to the first request. The reply to the second request could also be a late
        // reply to the first request.
        yield* serve(network, () => (++requests < 2 ? [] : [messages.INFO]), {
          address: target.split(":")[0]!,
          port: 27_015
        })
      }
      const progress = new ScanProgress()
      const results = yield* scanAll(targets, "info", { progress })
      assert.isTrue(results.every((result) => result._tag === "Answered" && result.rttAmbiguous === true))
      assert.strictEqual(progress.answered, 50)
      assert.isUndefined(progress.rttMs(0.5))
      assert.isUndefined(progress.rttMs(1))
    })
  )

  it.effect("queries INFO, PLAYER and RULES with a single challenge per target", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 20)
      const results = yield* scanAll(targets, "all")
      for (const result of results) {
        assert.deepInclude(result, {
          info: messages.infoReply,
          players: messages.playersReply,
          rules: messages.rulesReply,
          sent: 4
        })
      }
      assert.strictEqual(results.length, 20)
    })
  )

  it.effect("finds all servers despite an outage of two seconds", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 3000)
      const fiber = yield* Effect.forkChild(
        Stream.runCollect(scanner.scan(targets, "info", { concurrency: 200, random: seededRandom(3) }))
      )
      yield* TestClock.adjust("300 millis")
      network.faults = { ...network.faults, loss: 1 }
      yield* TestClock.adjust("2 seconds")
      network.faults = { ...network.faults, loss: 0 }
      yield* TestClock.adjust("30 seconds")
      assert.sameMembers(answered((yield* Fiber.join(fiber)).flat()), targets)
    })
  )

  it.effect("queries IPv4 and IPv6 targets in one scan", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const [four] = yield* farm(network, 1)
      yield* serve(network, answer, { address: "::2", port: 27_016 })
      assert.sameMembers(answered(yield* scanAll([four!, "[::2]:27016"])), [four, "[::2]:27016"])
    })
  )
})

describe("targets", () => {
  it.effect("are queried once if they have the same address, and invalid targets are reported", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ names: { "one.example": "10.0.0.0" } })
      const lookedUp = recordLookups(network)
      const [first] = yield* farm(network, 1)
      const progress = new ScanProgress()
      const targets = [
        "one.example",
        first!,
        "one.example:27015",
        { host: "10.0.0.0", port: 27_015 },
        "none.example",
        "1.2.3:x"
      ]
      const results = yield* scanAll(targets, "info", { progress })
      assert.strictEqual(answered(results).length, 1)
      assert.sameMembers(
        results.flatMap((result) => (result._tag === "Failed" ? [result.error._tag] : [])),
        ["Unresolved", "InvalidAddress"]
      )
      assert.strictEqual(progress.duplicates, 3)
      assert.strictEqual(progress.sent, 2)
      assert.deepStrictEqual(lookedUp, ["one.example", "none.example"])
    })
  )

  it.effect("cause one lookup per name, even if the name occurs again after the lookup has ended", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp({ names: { "one.example": "10.0.0.0" } })
      const lookedUp = recordLookups(network)
      yield* serve(network, answer, { address: "10.0.0.0", port: 27_015 })
      yield* serve(network, answer, { address: "10.0.0.0", port: 27_016 })
      const progress = new ScanProgress()
      const pause = Promise.withResolvers<void>()
      const names = async function* () {
        yield* ["one.example", "none.example"]
        await pause.promise
        yield* ["one.example:27016", "none.example:27016"]
      }
      const meanwhile = Effect.gen(function* () {
        for (let step = 0; step < 20; step++) yield* TestClock.adjust(50)
        assert.strictEqual(progress.done, 2)
        pause.resolve()
        for (let step = 0; step < 20; step++) yield* TestClock.adjust(50)
      })
      const results = yield* scanAll(names(), "info", { progress }, meanwhile)
      assert.sameMembers(answered(results), ["one.example", "one.example:27016"])
      assert.strictEqual(results.length, 4)
      assert.deepStrictEqual(lookedUp, ["one.example", "none.example"])
    })
  )

  it.effect("are queried without delay, even if the list begins with names whose lookups never end", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      Object.assign(network.datagrams, { resolve: () => Effect.never })
      const names = Array.from({ length: 60 }, (_, i) => `${i}.example`)
      const living = yield* farm(network, 5)
      const progress = new ScanProgress()
      const meanwhile = Effect.andThen(
        TestClock.adjust(500),
        Effect.sync(() => assert.strictEqual(progress.answered, 5))
      )
      const results = yield* scanAll([...names, ...living], "info", { progress }, meanwhile)
      assert.deepStrictEqual(answered(results).toSorted(), living)
      assert.strictEqual(results.length, 65)
    })
  )

  it.effect("are queried again if `recurring` is set, but not before their previous query has a result", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const target = (yield* farm(network, 1))[0]!
      let answer = Promise.withResolvers<void>()
      const rounds = async function* () {
        yield* [target, target]
        await answer.promise
        answer = Promise.withResolvers()
        yield target
        await answer.promise
      }
      const duplicates: Array<unknown> = []
      const onDuplicate = (again: unknown): void => void duplicates.push(again)
      const fiber = yield* scanner.scan(rounds(), "info", { recurring: true, onDuplicate }).pipe(
        Stream.tap(() => Effect.sync(() => answer.resolve())),
        Stream.runCollect,
        Effect.forkChild
      )
      for (let step = 0; step < 20; step++) yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(answered((yield* Fiber.join(fiber)).flat()), [target, target])
      assert.deepStrictEqual(duplicates, [target])
    })
  )

  it.effect("get a result for each occurrence if `recurring` is set, even if the targets are excluded", () =>
    Effect.gen(function* () {
      const { scanAll } = yield* setUp()
      const excluded = ["192.0.2.1:1", "192.0.2.1:1"]
      const results = yield* scanAll(excluded, "info", { recurring: true, exclude: ["192.0.2.0/24"] })
      assert.strictEqual(results.length, 2)
    })
  )

  it.effect("get no datagram if they are in an excluded range", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 10)
      const results = yield* scanAll(targets, "info", { exclude: ["10.0.0.4/30"] })
      assert.sameMembers(
        results.flatMap((result) => (result._tag === "Failed" ? [`${result.error._tag} ${result.address}`] : [])),
        [4, 5, 6, 7].map((n) => `Excluded 10.0.0.${n}`)
      )
      assert.strictEqual(network.counters.sent, 6 * 4)
    })
  )

  it.effect("are not read from the source while the window is full", () =>
    Effect.gen(function* () {
      const { scanner } = yield* setUp()
      let read = 0
      async function* endless() {
        for (;;) yield `10.1.${(read >> 8) & 255}.${read++ & 255}:27015`
      }
      const fiber = yield* Effect.forkChild(Stream.runDrain(scanner.scan(endless(), "info", { concurrency: 50 })))
      for (let i = 0; i < 100; i++) yield* Effect.promise(() => Promise.resolve())
      assert.isAtMost(read, 51)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect(
    "get their results even if the source fails afterwards, and the scan then ends with the error of the source",
    () =>
      Effect.gen(function* () {
        const { network, scanner } = yield* setUp()
        const [first] = yield* farm(network, 1)
        function* broken() {
          yield first!
          throw new Error("disk on fire")
        }
        async function* later() {
          yield* broken()
        }
        for (const source of [broken, later]) {
          const seen = yield* Ref.make(0)
          const fiber = yield* Effect.forkChild(
            Effect.flip(
              Stream.runForEach(scanner.scan(source()), (batch) => Ref.update(seen, (sum) => sum + batch.length))
            )
          )
          yield* TestClock.adjust("10 seconds")
          assert.include((yield* Fiber.join(fiber)).message, "disk on fire")
          assert.strictEqual(yield* Ref.get(seen), 1)
        }
      })
  )

  it.effect("can come from a stream that pauses between targets, and the pauses use the clock of the scan", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 3)
      const slow = Stream.tap(Stream.fromIterable(targets), () => Effect.sleep("10 seconds"))
      // The scan reads the stream through promises, and the virtual clock does not wait for promises. Therefore `setImmediate` gives
      // the promises time to settle.
      const tenSeconds = Effect.andThen(
        TestClock.adjust("10 seconds"),
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      )
      assert.sameMembers(answered(yield* scanAll(slow, "info", {}, Effect.repeat(tenSeconds, { times: 5 }))), targets)
    })
  )

  it.effect("may be a stream, a single target, or an empty list", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const targets = yield* farm(network, 3)
      assert.sameMembers(answered(yield* scanAll(Stream.fromIterable(targets))), targets)
      assert.sameMembers(answered(yield* scanAll(targets[0]!)), [targets[0]])
      assert.deepStrictEqual(yield* scanAll([]), [])
    })
  )
})

describe("limits", () => {
  it.effect("apply to the rate of datagrams, including retransmissions", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp({ loss: 0.05 })
      const targets = yield* farm(network, 400)
      const progress = new ScanProgress()
      yield* Effect.forkChild(Stream.runDrain(scanner.scan(targets, "info", { rate: 100, progress })))
      yield* TestClock.adjust("4 seconds")
      assert.isAtMost(progress.sent, 420)
      assert.isAtLeast(progress.sent, 350)
    })
  )

  // If an address sends more than 3 queries per second, averaged over a minute, ReHLDS drops all datagrams from this address.
  it.effect.each([0, 0.5, 0.9, 1])(
    "keep the number of datagrams to one server below the limit of ReHLDS (packet loss: %d)",
    (loss) =>
      Effect.gen(function* () {
        const { network, scanAll } = yield* setUp({ loss })
        const [target] = yield* farm(network, 1)
        const progress = new ScanProgress()
        const results = yield* scanAll([target!, target!, target!], "all", { progress })
        assert.strictEqual(results.length, 1)
        assert.isAtMost(progress.sent, 3 * 60)
      })
  )

  it.effect("apply to concurrent queries to one address", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      let [busy, most] = [0, 0]
      const ports = Array.from({ length: 60 }, (_, i) => 27_000 + i)
      for (const port of ports) {
        let state: "new" | "queried" | "answered" = "new"
        yield* serve(
          network,
          (request) => {
            if (state === "new") {
              state = "queried"
              most = Math.max(most, ++busy)
            }
            const replies = answer(request)
            if (replies[0] === messages.INFO && state === "queried") {
              state = "answered"
              busy--
            }
            return replies
          },
          { address: "10.9.9.9", port }
        )
      }
      const results = yield* scanAll(
        ports.map((port) => `10.9.9.9:${port}`),
        "info",
        { perHost: 4 }
      )
      assert.strictEqual(answered(results).length, 60)
      assert.strictEqual(most, 4)
    })
  )

  it.effect("apply to results in memory, so that the scan waits for a slow reader", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 3000)
      const progress = new ScanProgress()
      const pull = yield* Stream.toPull(scanner.scan(targets, "info", { concurrency: 100, progress }))
      const first = yield* Effect.forkChild(pull)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(progress.read, 1000)
      const { read } = progress
      yield* pull
      yield* TestClock.adjust("1 minute")
      assert.isAbove(progress.read, read)
    })
  )

  it.effect("cause InvalidOption if they are invalid", () =>
    Effect.gen(function* () {
      const { scanner } = yield* setUp()
      for (const options of [
        { concurrency: 0 },
        { rate: 0.5 },
        { exclude: ["10.0.0.1/8"] },
        { retries: -1 },
        { perHost: 1.5 }
      ]) {
        const error = yield* Effect.flip(Stream.runDrain(scanner.scan([], "info", options)))
        assert.strictEqual(error._tag, "InvalidOption")
      }
    })
  )
})

/** The reasons why a scan ends. */
const REASONS = [
  "end of the source",
  "error of the source",
  "interruption",
  "stop signal",
  "early end of the reader"
] as const

describe("at the end of a scan", () => {
  it.effect("an interruption closes the sockets immediately, and the scan sends no more requests", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const servers = yield* Scope.make()
      const targets = yield* Effect.provideService(farm(network, 10), Scope.Scope, servers)
      const before = network.openSockets
      const fiber = yield* Effect.forkChild(Stream.runDrain(scanner.scan([...targets, ...dead(500)], "info")))
      yield* TestClock.adjust("200 millis")
      assert.isAbove(network.openSockets, before)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(network.openSockets, before)
      const { sent } = network.counters
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(network.counters.sent, sent)
    })
  )

  it.effect.each(
    REASONS.flatMap((reason) => (["generator", "async generator", "stream"] as const).map((kind) => ({ kind, reason })))
  )("the source of the targets is closed once: $kind, $reason", ({ kind, reason }) =>
    Effect.gen(function* () {
      const { scanner } = yield* setUp()
      let closed = 0
      const close = (): void => void closed++
      function* generate() {
        try {
          yield* dead(10)
          if (reason === "end of the source") return
          if (reason === "error of the source") throw new Error("disk on fire")
          for (let i = 0; ; i++) yield `10.78.${(i >> 8) & 255}.${i & 255}`
        } finally {
          close()
        }
      }
      async function* generateLater() {
        yield* generate()
      }
      const rest =
        reason === "end of the source"
          ? Stream.empty
          : reason === "error of the source"
            ? Stream.fail("disk on fire")
            : Stream.never
      const stream = Stream.ensuring(Stream.concat(Stream.fromIterable(dead(10)), rest), Effect.sync(close))
      const source = { generator: generate, "async generator": generateLater, stream: () => stream }[kind]()
      const stop = new AbortController()
      const scan = scanner.scan(source, "info", { stop: stop.signal, timeoutMs: 500 })
      const fiber = yield* Effect.forkChild(
        Effect.exit(reason === "early end of the reader" ? Stream.runHead(scan) : Stream.runDrain(scan)),
        { startImmediately: true }
      )
      for (let i = 0; i < 20; i++) yield* TestClock.adjust("10 millis")
      if (!reason.endsWith("of the source")) assert.strictEqual(closed, 0)
      if (reason === "interruption") yield* Fiber.interrupt(fiber)
      if (reason === "stop signal") stop.abort()
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.await(fiber)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.strictEqual(closed, 1)
    })
  )

  it.effect(
    "after the stop signal, the scan sends no more requests, and a slow reader still gets all completed results",
    () =>
      Effect.gen(function* () {
        const { network, scanner } = yield* setUp()
        const targets = yield* farm(network, 300)
        const before = network.openSockets
        const progress = new ScanProgress()
        const stop = new AbortController()
        const slow = scanner.scan([...targets, ...dead(500)], "info", { progress, stop: stop.signal })
        const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.tap(slow, () => Effect.sleep("1 minute"))), {
          startImmediately: true
        })
        yield* TestClock.adjust("500 millis")
        stop.abort()
        const { sent } = network.counters
        yield* TestClock.adjust("5 minutes")
        const results = (yield* Fiber.join(fiber)).flat()
        assert.strictEqual(answered(results).length, 300)
        assert.strictEqual(results.length, progress.done)
        assert.strictEqual(network.counters.sent, sent)
        assert.strictEqual(network.openSockets, before)
      })
  )

  it.effect("no datagram is sent if the signal `stop` was aborted before the scan", () =>
    Effect.gen(function* () {
      const { network, scanAll } = yield* setUp()
      const results = yield* scanAll(yield* farm(network, 3), "info", { stop: AbortSignal.abort() })
      assert.deepEqual([results.length, network.counters.sent], [0, 0])
    })
  )

  it.effect("the sockets are closed if the reader stops early", () =>
    Effect.gen(function* () {
      const { network, scanner } = yield* setUp()
      const targets = yield* farm(network, 300)
      const before = network.openSockets
      const fiber = yield* Effect.forkChild(Stream.runHead(scanner.scan([...targets, ...dead(500)])))
      yield* TestClock.adjust(1)
      assert.isAbove(network.openSockets, before)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(fiber)
      assert.strictEqual(network.openSockets, before)
    })
  )
})

/** Returns a list of the names that the network looks up. The list grows with each lookup. */
const recordLookups = (network: MemoryNetwork): ReadonlyArray<string> => {
  const names: Array<string> = []
  const { resolve } = network.datagrams
  const recorded: typeof resolve = (host, ...rest) => (names.push(host), Effect.delay(resolve(host, ...rest), 10))
  Object.assign(network.datagrams, { resolve: recorded })
  return names
}

const dead = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `10.77.${i >> 8}.${i & 255}`)
