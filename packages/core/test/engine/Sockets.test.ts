/** The sockets of a client: too few file descriptors, and the maximum number of connected sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import {
  DEFAULT_TIMEOUT_MS,
  MAX_CONNECTED_SOCKETS,
  MAX_SHARED_SOCKETS,
  RESERVE_FROM,
  SOCKET_IDLE_MS
} from "../../src/Limits.ts"
import type { makeNetwork } from "../../src/testing/Testing.ts"
import { answers, inTime, setUp } from "../memoryClient.ts"
import { serve } from "../memoryServer.ts"

/** Starts `count` servers, and a client that queries some of them. `leave(n)` limits the client to `n` file descriptors. */
const setUpFarm = Effect.fnUntraced(function* (count: number, options?: Parameters<typeof makeNetwork>[0]) {
  const { client, net } = yield* setUp(options)
  const ports = Array.from({ length: count }, (_, i) => 20_000 + i)
  yield* Effect.forEach(ports, (port) => serve(net, answers, { address: "127.0.0.2", port }))
  const leave = (spare: number) => {
    net.faults = { ...net.faults, descriptors: count + spare }
  }
  const ask = (some = ports) =>
    Effect.forEach(some, (port) => Effect.result(client.info({ host: "127.0.0.2", port })), {
      concurrency: "unbounded"
    })
  const opened = () => net.openSockets - count
  return { ask, client, leave, net, opened, ports }
})

const successes = (results: ReadonlyArray<Result.Result<unknown, unknown>>) => results.filter(Result.isSuccess).length

describe("when file descriptors run out", () => {
  it.effect.each([1, 2, 10, 40, 200])("all queries get a reply (number of free descriptors: %i)", (spare) =>
    Effect.gen(function* () {
      const { ask, leave, opened } = yield* setUpFarm(1000, { delayMs: 20 })
      leave(spare)
      assert.strictEqual(successes(Result.getOrThrow(yield* inTime(ask()))), 1000)
      assert.isAtMost(opened(), spare)
      // Idle sockets are closed, so other code of the process can use the descriptors.
      yield* TestClock.adjust(3 * SOCKET_IDLE_MS)
      assert.strictEqual(opened(), 0)
    })
  )

  it.effect("the client uses the reserve socket that it opened earlier", () =>
    Effect.gen(function* () {
      const { ask, leave, opened, ports } = yield* setUpFarm(RESERVE_FROM + 2)
      yield* ask(ports.slice(0, RESERVE_FROM)).pipe(advance(100))
      assert.strictEqual(opened(), RESERVE_FROM)
      yield* ask(ports.slice(RESERVE_FROM, RESERVE_FROM + 1)).pipe(advance(100))
      assert.strictEqual(opened(), RESERVE_FROM + 2)
      leave(0)
      const [late] = yield* ask(ports.slice(-1)).pipe(advance(100))
      assert.isTrue(Result.isSuccess(late!))
      yield* TestClock.adjust(3 * SOCKET_IDLE_MS)
      assert.strictEqual(opened(), 0)
    })
  )

  it.effect("the reserve socket is available even if all other idle sockets have been closed", () =>
    Effect.gen(function* () {
      const { ask, leave, opened, ports } = yield* setUpFarm(RESERVE_FROM + 2)
      yield* ask(ports.slice(0, RESERVE_FROM + 1)).pipe(advance(100))
      assert.strictEqual(opened(), RESERVE_FROM + 2)
      for (let ms = 0; ms < 4 * SOCKET_IDLE_MS; ms += 1000) yield* ask(ports.slice(0, 1)).pipe(advance(1000))
      assert.strictEqual(opened(), 2)
      leave(0)
      const [late] = yield* ask(ports.slice(-1)).pipe(advance(100))
      assert.isTrue(Result.isSuccess(late!))
      yield* TestClock.adjust(3 * SOCKET_IDLE_MS)
      assert.strictEqual(opened(), 0)
    })
  )

  it.effect("the next query closes the idle sockets, so that other code in the process can use their descriptors", () =>
    Effect.gen(function* () {
      const { ask, leave, opened, ports } = yield* setUpFarm(RESERVE_FROM + 5)
      yield* ask(ports.slice(0, -1)).pipe(advance(100))
      assert.strictEqual(opened(), RESERVE_FROM + 5)
      leave(0)
      const [late] = yield* ask(ports.slice(-1)).pipe(advance(100))
      assert.isTrue(Result.isSuccess(late!))
      // Only one socket is open: the unconnected socket that this query used.
      assert.strictEqual(opened(), 1)
    })
  )

  it.effect(
    "the client limits its number of sockets until the idle time has passed since the last refused socket",
    () =>
      Effect.gen(function* () {
        const { ask, leave, opened, ports } = yield* setUpFarm(60, { delayMs: 20 })
        leave(20)
        yield* ask().pipe(advance(1000))
        // 20 descriptors were free. The client may use three quarters of them, and one more for the reserve socket.
        assert.isAtMost(opened(), 16)
        leave(100)
        yield* ask(ports.slice(0, 30)).pipe(advance(1000))
        assert.isAtMost(opened(), 16)
        yield* TestClock.adjust(SOCKET_IDLE_MS)
        yield* ask(ports.slice(0, 30)).pipe(advance(1000))
        assert.isAtLeast(opened(), 30)
      })
  )

  it.effect("a query without a socket waits, and succeeds if a descriptor becomes free before its timeout", () =>
    Effect.gen(function* () {
      const { ask, leave, ports } = yield* setUpFarm(1)
      leave(0)
      const queried = yield* Effect.forkChild(ask(ports), { startImmediately: true })
      yield* TestClock.adjust(DEFAULT_TIMEOUT_MS - 200)
      leave(1)
      yield* TestClock.adjust(1000)
      assert.strictEqual(successes(yield* Fiber.join(queried)), 1)
    })
  )

  it.effect("a query fails if it never gets a socket, and its error names this host as the cause", () =>
    Effect.gen(function* () {
      const { ask, leave, ports } = yield* setUpFarm(1)
      leave(0)
      const queried = yield* Effect.forkChild(ask(ports), { startImmediately: true })
      yield* TestClock.adjust(DEFAULT_TIMEOUT_MS - 200)
      assert.isUndefined(queried.pollUnsafe())
      yield* TestClock.adjust(400)
      const [result] = yield* Fiber.join(queried)
      const failure = Result.isFailure(result!) ? result.failure : assert.fail("no failure")
      assert.deepInclude({ ...failure }, { _tag: "SendFailed", code: "EMFILE", address: "127.0.0.2:20000" })
      assert.match(failure.message, /^This host could not send \(EMFILE\)/)
    })
  )

  it.effect("a query that is interrupted while it waits for a socket leaves nothing open", () =>
    Effect.gen(function* () {
      const { ask, client, leave, opened, ports } = yield* setUpFarm(1)
      leave(0)
      const queried = yield* Effect.forkChild(ask(ports), { startImmediately: true })
      yield* TestClock.adjust(500)
      yield* Fiber.interrupt(queried)
      leave(10)
      yield* TestClock.adjust(500)
      assert.strictEqual(client.counters.sent, 0)
      yield* TestClock.adjust(3 * SOCKET_IDLE_MS)
      assert.strictEqual(opened(), 0)
    })
  )
})

it.effect("if the limit of connected sockets is reached, further queries share unconnected sockets", () =>
  Effect.gen(function* () {
    // Sockets of dead servers stay open until their idle time is over.
    const { client, net } = yield* setUp({ reportsClosedPorts: false })
    const hosts = Array.from({ length: 3 * MAX_CONNECTED_SOCKETS }, (_, i) => `192.0.${i >> 8}.${i & 255}`)
    yield* Effect.forkChild(
      Effect.forEach(hosts, (host) => Effect.result(client.info(host, { timeoutMs: 60_000 })), {
        concurrency: "unbounded"
      }),
      { startImmediately: true }
    )
    yield* TestClock.adjust(20_000)
    assert.isAbove(net.openSockets, MAX_CONNECTED_SOCKETS)
    assert.isAtMost(net.openSockets, MAX_CONNECTED_SOCKETS + MAX_SHARED_SOCKETS)
  })
)

it.effect("if all connected sockets are in use, an interrupted query makes its socket available immediately", () =>
  Effect.gen(function* () {
    const { client, net } = yield* setUp()
    const ports = Array.from({ length: MAX_CONNECTED_SOCKETS }, (_, i) => 20_000 + i)
    yield* Effect.forEach(ports, (port) => serve(net, () => [], { address: "127.0.0.2", port }))
    const [first] = yield* Effect.forEach(ports, (port) =>
      Effect.forkChild(client.info({ host: "127.0.0.2", port }, { timeoutMs: 60_000 }), { startImmediately: true })
    )
    yield* TestClock.adjust(20_000)
    const { openSockets } = net
    assert.strictEqual(openSockets, 2 * MAX_CONNECTED_SOCKETS + 1)
    // Only a connected socket reports a closed port.
    const askClosed = Effect.flip(client.info("127.0.0.1:1", { timeoutMs: 500 }))
    assert.strictEqual((yield* askClosed.pipe(advance(1000)))._tag, "Timeout")
    yield* Fiber.interrupt(first!)
    assert.strictEqual((yield* askClosed.pipe(advance(10)))._tag, "PortClosed")
    assert.strictEqual(net.openSockets, openSockets)
  })
)

/** Runs the effect, advances the clock by `ms`, and returns the effect's result. */
function advance(ms: number) {
  return <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
      yield* TestClock.adjust(ms)
      return yield* Fiber.join(fiber)
    })
}
