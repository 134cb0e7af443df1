/** A client on a network in memory: calls that share a query, many concurrent calls, and errors. */
import { assert, describe, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { Client } from "../../src/client/Client.ts"
import { DEFAULT_TIMEOUT_MS, MAX_IN_FLIGHT } from "../../src/Limits.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { networkLayer, makeNetwork } from "../../src/testing/Testing.ts"
import { address, answers, inTime, setUp, withServer } from "../memoryClient.ts"
import { serve } from "../memoryServer.ts"
import * as messages from "../messages.ts"

const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(Effect.result(effect), { startImmediately: true })

describe("calls at the same time", () => {
  it.effect("share one query if the calls are equal, and each call gets its own copy of the result", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, requests }) {
        const queried = [client.players(address), client.players("127.0.0.1"), client.players(" 127.0.0.1:27015 ")]
        const all = Result.getOrThrow(yield* inTime(Effect.all(queried, { concurrency: "unbounded" })))
        assert.strictEqual(requests.length, 2)
        assert.deepStrictEqual(all[1], all[0])
        assert.strictEqual(new Set(all.map(({ players }) => players[0])).size, 3)
      })
    )
  )

  it.effect("share one query if one call is `info`, and the other call is `queryKind` with the kind `info`", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, requests }) {
        yield* inTime(Effect.all([client.query("game.example"), client.query("GAME.example")], { concurrency: 2 }))
        assert.strictEqual(requests.length, 4)
        const both = Effect.all([client.info(address), client.queryKind("info", address)], { concurrency: 2 })
        const [info, answer] = Result.getOrThrow(yield* inTime(both))
        assert.strictEqual(requests.length, 6)
        assert.deepStrictEqual(answer.value, info)
      })
    )
  )

  it.effect("do not share a query if their options or kinds of query differ", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, requests }) {
        const different = [
          client.info(address),
          client.info(address, { encoding: "latin1" }),
          client.info(address, { timeoutMs: 2000 }),
          client.info(address, { retries: 1 }),
          client.ping(address, { via: "info" }),
          client.ping(address, { via: "ping" }),
          client.challenge(address)
        ]
        yield* inTime(Effect.all(different, { concurrency: "unbounded" }))
        assert.strictEqual(requests.filter((request) => !request.endsWith("0a0b0c0d")).length, different.length)
      })
    )
  )

  it.effect("do not share a query if their addresses or ports differ", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net, requests }) {
        const others = [
          { address: "127.0.0.2", port: 27_015 },
          { address: "127.0.0.1", port: 27_016 },
          { address: "::1", port: 27_015 }
        ]
        const infos = others.map((_, i) => toHex(Result.getOrThrow(encode({ ...messages.infoReply, players: i }))))
        for (const [i, other] of others.entries()) {
          const answer = (request: string) => (request === messages.ASK_INFO ? [infos[i]!] : [])
          yield* serve(net, answer, other)
        }
        const hosts = others.map(({ address, port }) => ({ host: address, port }))
        const calls = [address, ...hosts].map((server) => client.info(server))
        const all = Result.getOrThrow(yield* inTime(Effect.all(calls, { concurrency: "unbounded" })))
        assert.deepStrictEqual(
          all.map(({ players }) => players),
          [messages.infoReply.players, 0, 1, 2]
        )
        assert.strictEqual(requests.length, 2)
        assert.strictEqual(client.counters.sent, requests.length + others.length)
      })
    )
  )

  it.effect(
    "that share a query can be interrupted separately, and the query ends when all of these calls are interrupted",
    () =>
      Effect.gen(function* () {
        const { client, net } = yield* setUp({ delayMs: 100 })
        yield* serve(net, answers)
        const [first, second] = yield* Effect.all([fork(client.info(address)), fork(client.info(address))])
        yield* TestClock.adjust(50)
        yield* Fiber.interrupt(first)
        yield* TestClock.adjust(1000)
        assert.strictEqual((yield* Fiber.join(second))._tag, "Success")
        const both = yield* Effect.all([fork(client.rules("127.0.0.9:1")), fork(client.rules("127.0.0.9:1"))])
        yield* TestClock.adjust(50)
        const { sent } = client.counters
        yield* Effect.forEach(both, Fiber.interrupt)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(client.counters.sent, sent)
      })
  )

  it.effect("share a query that has just started; later calls wait, and share the next query", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      let isAlive = false
      yield* serve(net, (request) => (isAlive ? answers(request) : []))
      const early = yield* fork(client.info(address))
      yield* TestClock.adjust(0.1 * DEFAULT_TIMEOUT_MS)
      const joined = yield* fork(client.info(address))
      yield* TestClock.adjust(1)
      // These two calls are too late to join the first query. Both calls wait until the first query ends, and then share a second query.
      const late = yield* Effect.all([fork(client.info(address)), fork(client.info(address))])
      yield* TestClock.adjust(0.9 * DEFAULT_TIMEOUT_MS - 1)
      for (const fiber of [early, joined]) assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      const { sent } = client.counters
      isAlive = true
      yield* TestClock.adjust(1000)
      for (const fiber of late) assert.strictEqual((yield* Fiber.join(fiber))._tag, "Success")
      assert.isAtMost(client.counters.sent - sent, 2)
    })
  )

  it.effect("look up the same name once", () =>
    Effect.gen(function* () {
      const net = yield* makeNetwork({ names: { "game.example": "127.0.0.1" } })
      yield* serve(net, answers)
      let lookups = 0
      const { resolve } = net.datagrams
      const counting = {
        ...net,
        datagrams: { ...net.datagrams, resolve: (host: string) => (lookups++, Effect.delay(resolve(host), 10)) }
      }
      const layer = Layer.provide(Client.layer(), networkLayer(counting as typeof net))
      const client = yield* Effect.provide(Client, yield* Layer.build(layer))
      const all = [client.info("game.example"), client.players("game.example"), client.query("game.example")]
      yield* inTime(Effect.all([...all, ...all], { concurrency: "unbounded" }))
      assert.strictEqual(lookups, 1)
    })
  )
})

describe("many concurrent calls", () => {
  it.effect("get replies, even if all of them query the same server with different options", () =>
    withServer(
      Effect.fnUntraced(function* ({ client }) {
        const timeouts = Array.from({ length: 3000 }, (_, i) => 1000 + i)
        const all = Effect.forEach(timeouts, (timeoutMs) => client.info(address, { timeoutMs }), {
          concurrency: "unbounded"
        })
        assert.strictEqual(Result.getOrThrow(yield* inTime(all)).length, timeouts.length)
      })
    )
  )

  it.effect(
    "wait in a queue while dead servers are queried, and the time limit of each call begins with its first datagram",
    () =>
      Effect.gen(function* () {
        const { client, net } = yield* setUp({ reportsClosedPorts: false })
        yield* serve(net, answers)
        const dead = Array.from({ length: 2000 }, (_, i) => `192.0.${i >> 8}.${i & 255}`)
        const fibers = yield* Effect.forEach(dead, (host) => fork(client.info(host)))
        const living = yield* fork(client.info(address))
        yield* TestClock.adjust(2999)
        assert.isBelow(net.openSockets, MAX_IN_FLIGHT)
        yield* TestClock.adjust("2 minutes")
        for (const fiber of fibers) {
          const result = yield* Fiber.join(fiber)
          if (Result.isSuccess(result) || result.failure._tag !== "Timeout") return assert.fail(String(result))
          assert.isAtLeast(result.failure.sent, 6)
        }
        assert.strictEqual((yield* Fiber.join(living))._tag, "Success")
      })
  )

  it.effect(
    "leave the queue if they are interrupted, and later calls to the same server do not wait for the interrupted calls",
    () =>
      Effect.gen(function* () {
        const { client, net } = yield* setUp()
        yield* serve(net, (request) => (request.startsWith("ffffffff54") ? [] : answers(request)))
        const first = yield* fork(client.info(address))
        const waiting = yield* fork(client.players(address))
        const last = yield* fork(client.rules(address))
        yield* TestClock.adjust(100)
        yield* Fiber.interrupt(waiting)
        const { sent } = client.counters
        yield* Fiber.interrupt(first)
        yield* TestClock.adjust(100)
        assert.strictEqual((yield* Fiber.join(last))._tag, "Success")
        assert.strictEqual(client.counters.sent - sent, 2)
      })
  )

  it.effect("end with ConnectionClosed when the client is closed, even if they are queued", () =>
    Effect.gen(function* () {
      const net = yield* makeNetwork({ reportsClosedPorts: false })
      const fibers = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Effect.provide(
            Client,
            yield* Layer.build(Layer.provide(Client.layer(), networkLayer(net)))
          )
          const calls = Array.from({ length: 200 }, (_, i) => client.info(`192.0.2.${i}`))
          const all = [...calls, client.info("192.0.2.0", { timeoutMs: 1 })]
          const begun = yield* Effect.forEach(all, (call) => Effect.forkDetach(Effect.result(call)))
          yield* TestClock.adjust(100)
          return begun
        })
      )
      for (const result of yield* Fiber.joinAll(fibers)) {
        assert.strictEqual(Result.isFailure(result) && result.failure._tag, "ConnectionClosed")
      }
      assert.strictEqual(net.openSockets, 0)
    })
  )
})

describe("a failure", () => {
  it.effect("contains the target's address in canonical spelling, even if the caller used another spelling", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      yield* serve(net, () => [])
      yield* serve(net, (request) => (request === messages.ASK_INFO ? [messages.INFO] : [messages.BANNED]), {
        address: "127.0.0.2",
        port: 27_015
      })
      yield* serve(net, () => [messages.BANNED], { address: "::1", port: 1 })
      const about = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
        const result = yield* inTime(effect)
        return Result.isFailure(result) ? { ...result.failure } : assert.fail("no error")
      })
      assert.deepInclude(yield* about(client.info("GAME.example")), { _tag: "Timeout", address: "game.example:27015" })
      assert.deepInclude(yield* about(client.info("127.0.0.1:1")), { _tag: "PortClosed", address: "127.0.0.1:1" })
      assert.deepInclude(yield* about(client.info("[0::1]:1")), { _tag: "Refused", address: "[::1]:1" })
      assert.deepInclude(yield* about(client.query("nowhere.example")), {
        _tag: "Unresolved",
        address: "nowhere.example:27015"
      })
      assert.notProperty(yield* about(client.info("no:port")), "address")
      const settings = { timeoutMs: 100, retries: 0, encoding: "auto", random: Math.random } as const
      const own = client.run("127.0.0.1", () => new QueryExchange(Query.info, settings))
      assert.deepInclude(yield* about(own), { _tag: "Timeout", address: "127.0.0.1:27015" })
      const { errors } = Result.getOrThrow(yield* inTime(client.query("127.0.0.2")))
      assert.strictEqual(errors?.players?.address, "127.0.0.2:27015")
      assert.strictEqual(errors?.rules?.address, "127.0.0.2:27015")
    })
  )
})

describe("transmission errors of this host", () => {
  it.effect.each([100, 1000, 2850])("do not make a query fail if they end after %i ms", (ms) =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        net.faults = { refuse: 1 }
        const queried = yield* fork(client.queryKind("info", address, { retries: 0 }))
        yield* TestClock.adjust(ms)
        net.faults = {}
        yield* TestClock.adjust(1000)
        assert.deepInclude(Result.getOrThrow(yield* Fiber.join(queried)), { rttMs: 2, sent: 2, received: 2 })
      })
    )
  )

  it.effect("make a query fail with SendFailed if they last until the end of the time limit", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        net.faults = { refuse: 1 }
        const queried = yield* fork(client.info(address))
        yield* TestClock.adjust(DEFAULT_TIMEOUT_MS - 1)
        assert.isUndefined(queried.pollUnsafe())
        yield* TestClock.adjust(1)
        const result = yield* Fiber.join(queried)
        const failure = Result.isFailure(result) ? result.failure : assert.fail("no failure")
        assert.deepInclude({ ...failure }, { _tag: "SendFailed", code: "ENETUNREACH", address })
        assert.match(failure.message, /^This host could not send/)
      })
    )
  )
})

it.effect.each([1, 2, 3])(
  "if `onDatagram` throws for datagram %i, the current query fails with a defect, and the next query succeeds",
  (nth) => {
    let calls = 0
    const onDatagram = () => {
      if (++calls === nth) throw new Error("no")
    }
    return withServer(
      Effect.fnUntraced(function* ({ client }) {
        const exit = yield* inTime(Effect.exit(client.info(address)))
        assert.isTrue(Exit.hasDies(Result.getOrThrow(exit)))
        assert.isTrue(Result.isSuccess(yield* inTime(client.info(address))))
        assert.strictEqual(calls, nth)
      }),
      undefined,
      { onDatagram }
    )
  }
)
