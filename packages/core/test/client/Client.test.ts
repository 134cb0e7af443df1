import { assert, describe, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { Client } from "../../src/client/Client.ts"
import { FIRST_WINDOW, INITIAL_RTO_MS, MAX_CONNECTED_SOCKETS, SOCKET_IDLE_MS } from "../../src/Limits.ts"
import { networkLayer, makeNetwork } from "../../src/testing/Testing.ts"
import { address, answers, inTime, setUp, withServer } from "../memoryClient.ts"
import { SERVER, serve } from "../memoryServer.ts"
import * as messages from "../messages.ts"

describe("queries", () => {
  it.effect("return the decoded replies", () =>
    withServer(
      Effect.fnUntraced(function* ({ client }) {
        assert.deepInclude(Result.getOrThrow(yield* inTime(client.info(address))), messages.infoReply)
        assert.deepInclude(Result.getOrThrow(yield* inTime(client.players("game.example"))), messages.playersReply)
        assert.deepInclude(Result.getOrThrow(yield* inTime(client.rules(SERVER.address))), messages.rulesReply)
        const challenge = Result.getOrThrow(yield* inTime(client.challenge(address)))
        assert.strictEqual(challenge.challenge, 0x0d0c0b0a)
      })
    )
  )

  it.effect(
    "the results of `queryKind` and `ping` contain the round-trip time and the numbers of sent and received datagrams",
    () =>
      withServer(
        Effect.fnUntraced(function* ({ client }) {
          const answer = Result.getOrThrow(yield* inTime(client.queryKind("info", address)))
          assert.deepInclude(answer, { rttMs: 40, sent: 2, received: 2 })
          assert.deepEqual(Result.getOrThrow(yield* inTime(client.ping(address))), {
            via: "ping",
            payload: "00000000000000",
            rttMs: 40,
            sent: 1,
            received: 1
          })
          assert.deepEqual(Result.getOrThrow(yield* inTime(client.ping(address, { via: "info" }))), {
            via: "info",
            rttMs: 40,
            sent: 1,
            received: 1
          })
        }),
        { delayMs: 20 }
      )
  )

  it.effect(
    "the round-trip time of a slow server is ambiguous in the first result of `queryKind`, and exact in later results of `queryKind` and `ping`",
    () =>
      Effect.gen(function* () {
        const { client, net } = yield* setUp({ delayMs: 450 })
        yield* serve(net, (request) => (request === messages.ASK_INFO ? [messages.INFO] : answers(request)))
        const alone = Result.getOrThrow(yield* inTime(client.queryKind("info", address)))
        assert.isTrue(alone.rttAmbiguous)
        // The client has calculated the round-trip time from the late replies to the first query.
        assert.deepInclude(Result.getOrThrow(yield* inTime(client.queryKind("info", address))), { rttMs: 900, sent: 1 })
        const ping = Result.getOrThrow(yield* inTime(client.ping(address, { retries: 0 })))
        assert.deepInclude(ping, { rttMs: 900 })
        assert.notProperty(ping, "rttAmbiguous")
      })
  )

  it.effect(
    "the round-trip time of a slow server is ambiguous in the first result of `query`, and exact in the second result",
    () =>
      withServer(
        Effect.fnUntraced(function* ({ client }) {
          assert.isTrue(Result.getOrThrow(yield* inTime(client.query(address))).rttAmbiguous)
          const answer = Result.getOrThrow(yield* inTime(client.query(address)))
          assert.strictEqual(answer.rttMs, 900)
          assert.notProperty(answer, "rttAmbiguous")
        }),
        { delayMs: 450 }
      )
  )

  it.effect(
    "if the first INFO request was lost, `query` measures the round-trip time with PLAYER, but `queryKind` reports an ambiguous time",
    () =>
      Effect.gen(function* () {
        const { client, net } = yield* setUp({ delayMs: 5 })
        let queried = 0
        yield* serve(net, (request) => {
          if (request === messages.ASK_INFO) return ++queried === 1 ? [] : [messages.INFO]
          return answers(request)
        })
        assert.deepInclude(Result.getOrThrow(yield* inTime(client.query(address))), { rttMs: 10 })
        queried = 0
        const alone = Result.getOrThrow(yield* inTime(client.queryKind("info", address, { timeoutMs: 2000 })))
        assert.deepInclude(alone, { sent: 2, rttAmbiguous: true })
      })
  )

  it.effect("use one challenge for INFO, PLAYER and RULES", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, requests }) {
        const answer = Result.getOrThrow(yield* inTime(client.query("game.example")))
        assert.strictEqual(answer.info.name, "A server")
        assert.strictEqual(answer.players?.players.length, 1)
        assert.strictEqual(answer.rules?.rules.length, 40)
        assert.isUndefined(answer.errors)
        assert.strictEqual(requests.length, 4)
        assert.doesNotThrow(() => JSON.stringify(answer))
      })
    )
  )

  it.effect("treat a timeout of PLAYER as an empty player list if INFO reports 0 players", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp({ delayMs: 20 })
      const emptyInfo = toHex(Result.getOrThrow(encode({ ...messages.infoReply, players: 0 })))
      const requests: Array<string> = []
      yield* serve(net, (request) => {
        requests.push(request)
        if (request === messages.ASK_INFO) return [emptyInfo]
        return request.startsWith("ffffffff56") ? answers(request) : []
      })
      const asking = yield* Effect.forkChild(client.query(address))
      yield* TestClock.adjust("500 millis")
      const answer = yield* Fiber.join(asking)
      assert.deepEqual(answer.players, { _tag: "PlayersReply", announced: 0, players: [], truncated: false })
      assert.isTrue(answer.playersAssumed)
      assert.isUndefined(answer.errors)
      assert.strictEqual(requests.filter((request) => request.startsWith("ffffffff55")).length, 1)
    })
  )

  it.effect("report a separate error for each part that fails", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      yield* serve(net, (request) =>
        request === messages.ASK_INFO
          ? [messages.LEGACY, messages.INFO]
          : request.startsWith("ffffffff55")
            ? [messages.BANNED]
            : []
      )
      const answer = Result.getOrThrow(yield* inTime(client.query(address)))
      assert.strictEqual(answer.info._tag, "InfoReply")
      assert.strictEqual(answer.legacy?._tag, "GoldSourceInfoReply")
      assert.strictEqual(answer.errors?.players?._tag, "Refused")
      assert.strictEqual(answer.errors?.rules?._tag, "Timeout")
    })
  )

  it.effect("run concurrently", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp({ delayMs: 30 })
      const ports = Array.from({ length: 2 * MAX_CONNECTED_SOCKETS }, (_, i) => 20_000 + i)
      yield* Effect.forEach(ports, (port) => serve(net, answers, { address: "127.0.0.2", port }))
      const all = yield* inTime(
        Effect.forEach(ports, (port) => client.info({ host: "127.0.0.2", port }), { concurrency: "unbounded" })
      )
      assert.strictEqual(Result.getOrThrow(all).length, ports.length)
      assert.isAtMost(net.openSockets, ports.length + MAX_CONNECTED_SOCKETS + 1)
    })
  )

  it.effect("run one after the other if they go to the same server", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        const all = yield* inTime(
          Effect.all([client.info(address), client.players(address), client.rules(address), client.info(address)], {
            concurrency: "unbounded"
          })
        )
        assert.strictEqual(Result.getOrThrow(all)[3].name, "A server")
        assert.strictEqual(net.openSockets, 1)
      })
    )
  )

  it.effect("when a query is interrupted, a waiting query starts immediately", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        const silent = Array.from({ length: FIRST_WINDOW }, (_, i) => ({ host: "127.0.0.9", port: i + 1 }))
        yield* Effect.forEach(silent, ({ host, port }) =>
          serve(net, (request) => (request === messages.ASK_INFO ? [] : answers(request)), { address: host, port })
        )
        const [first, second] = yield* Effect.forEach(silent, (server) =>
          Effect.forkChild(client.info(server), { startImmediately: true })
        )
        // The first call waits because the window is full. The second call waits because a query to its server is in flight.
        const waiting = [client.info(address), client.players(silent[1]!)]
        for (const [i, call] of waiting.entries()) {
          const fiber = yield* Effect.forkChild(call, { startImmediately: true })
          yield* TestClock.adjust("100 millis")
          assert.isUndefined(fiber.pollUnsafe())
          yield* Fiber.interrupt([first!, second!][i]!)
          yield* TestClock.adjust("10 millis")
          assert.isTrue(Exit.isSuccess(fiber.pollUnsafe()!))
        }
      })
    )
  )
})

describe("errors of a client", () => {
  it.effect("have a different tag for each cause", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      yield* serve(net, () => [])
      const failure = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.map(inTime(effect), (result) => (Result.isFailure(result) ? result.failure : assert.fail("no error")))
      assert.deepInclude(yield* failure(client.info(address)), {
        _tag: "Timeout",
        phase: "request",
        sent: 7,
        received: 0
      })
      assert.strictEqual((yield* failure(client.info("127.0.0.1:1")))._tag, "PortClosed")
      assert.strictEqual((yield* failure(client.info("nowhere.example")))._tag, "Unresolved")
      assert.strictEqual((yield* failure(client.info("nowhere:port")))._tag, "InvalidAddress")
      assert.strictEqual((yield* failure(client.info(address, { retries: -1 })))._tag, "InvalidOption")
      const error = yield* failure(client.info(address, { timeoutMs: 100 }))
      const json: unknown = JSON.parse(JSON.stringify(error))
      assert.hasAllKeys(json, ["_tag", "message", "phase", "sent", "received", "address"])
    })
  )

  it.effect("if an option is invalid, the creation of the client fails with InvalidOption", () =>
    Effect.gen(function* () {
      const built = yield* Effect.result(setUp({}, { timeoutMs: Number.NaN }))
      assert.isTrue(Result.isFailure(built) && built.failure._tag === "InvalidOption")
    })
  )
})

describe("the method `query`", () => {
  it.effect("runs separate queries for concurrent calls with different options", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, requests }) {
        const ask = (...all: ReadonlyArray<Parameters<typeof client.query>[1]>) =>
          inTime(Effect.forEach(all, (options) => client.query(address, options), { concurrency: "unbounded" }))
        yield* ask({ parts: ["info"] }, { parts: ["info"] }, { parts: ["info"], timeoutMs: 3000 })
        const alone = requests.length
        const both = Result.getOrThrow(yield* ask({ parts: ["info"] }, { parts: ["players"] }))
        assert.deepEqual(
          both.map(({ players }) => players !== undefined),
          [false, true]
        )
        assert.isAbove(requests.length, 2 * alone)
      })
    )
  )

  it.effect("returns the parts that arrived before the total timeout, and an error for each missing part", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      yield* serve(net, (request) => (request.startsWith(messages.ASK_INFO) ? [messages.INFO] : []))
      const queried = yield* Effect.forkChild(client.query(address, { totalTimeoutMs: 700 }))
      yield* TestClock.adjust(800)
      const { errors, info } = yield* Fiber.join(queried)
      assert.strictEqual(info._tag, "InfoReply")
      assert.deepEqual(Object.keys(errors ?? {}), ["players", "rules"])
    })
  )

  it.effect.each([{ parts: [] }, { parts: ["everything"] }, { totalTimeoutMs: 0 }])(
    "rejects invalid options: %j",
    (options) =>
      Effect.gen(function* () {
        const { client } = yield* setUp()
        const failed = yield* Effect.flip(client.query(address, options as never))
        assert.strictEqual(failed._tag, "InvalidOption")
      })
  )
})

describe("sockets", () => {
  it.effect("are reused for the next query, and closed after the idle time", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        const ports = new Set<number>()
        yield* serve(net, (_request, from) => (ports.add(from.port), [messages.INFO]), {
          address: "127.0.0.9",
          port: 1
        })
        yield* inTime(client.info("127.0.0.9:1"))
        assert.strictEqual(net.openSockets, 2)
        const both = yield* Effect.forkChild(Effect.andThen(client.info("127.0.0.9:1"), client.info("127.0.0.9:1")))
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(both)
        assert.strictEqual(ports.size, 2)
        assert.strictEqual(net.openSockets, 3)
        yield* TestClock.adjust(SOCKET_IDLE_MS)
        assert.strictEqual(net.openSockets, 2)
      })
    )
  )

  it.effect("stay open if the interval between queries is shorter than the idle time", () =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      const ports = new Set<number>()
      yield* serve(net, (_request, from) => (ports.add(from.port), [messages.INFO]))
      const everySecond = Effect.andThen(client.info(address), Effect.sleep("1 second"))
      const polling = yield* Effect.forkChild(Effect.repeat(everySecond, { times: (4 * SOCKET_IDLE_MS) / 1000 }))
      yield* TestClock.adjust(4 * SOCKET_IDLE_MS + 2000)
      yield* Fiber.join(polling)
      assert.strictEqual(ports.size, 1)
    })
  )

  it.effect(
    "are not reused while replies are outstanding, so that no query receives the reply to an earlier query",
    () =>
      Effect.gen(function* () {
        // The RTT is longer than the first retransmission delay. Therefore the first query is retransmitted, and both transmissions get a reply.
        const { client, net } = yield* setUp({ delayMs: 0.6 * INITIAL_RTO_MS })
        const ports: Array<number> = []
        yield* serve(net, (_request, from) => (ports.push(from.port), [messages.INFO]))
        const polling = yield* Effect.forkChild(
          Effect.forEach([1, 2, 3, 4], () => client.queryKind("info", address), { concurrency: 1 })
        )
        yield* TestClock.adjust("3 seconds")
        const [first, ...polled] = yield* Fiber.join(polling)
        // The first RTT is ambiguous. The late second reply shows that the server is slow, so later queries wait longer before they
        // retransmit.
        assert.isTrue(first!.rttAmbiguous)
        for (const { rttMs } of polled) assert.approximately(rttMs, 1.2 * INITIAL_RTO_MS, 2)
        assert.deepEqual(
          polled.slice(1).map(({ sent }) => sent),
          [1, 1]
        )
        assert.strictEqual(client.counters.late, client.counters.sent - 4)
        assert.strictEqual(ports[0], ports[1])
        assert.notInclude(ports.slice(2), ports[0])
        yield* TestClock.adjust(2 * SOCKET_IDLE_MS)
        assert.strictEqual(net.openSockets, 1)
      })
  )

  it.effect("are closed when the client is closed, and the queries in flight end", () =>
    Effect.gen(function* () {
      const net = yield* makeNetwork()
      yield* serve(net, () => [])
      const queried = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(Layer.provide(Client.layer(), networkLayer(net)))
          const client = yield* Effect.provide(Client, context)
          const fiber = yield* Effect.forkDetach(Effect.result(client.info(address)))
          yield* TestClock.adjust("100 millis")
          assert.strictEqual(net.openSockets, 2)
          return fiber
        })
      )
      const result = yield* Fiber.join(queried)
      assert.isTrue(Result.isFailure(result) && result.failure._tag === "ConnectionClosed")
      assert.strictEqual(net.openSockets, 1)
    })
  )

  it.effect("send no more datagrams after their query is interrupted", () =>
    withServer(
      Effect.fnUntraced(function* ({ client, net }) {
        yield* serve(net, () => [], { address: "127.0.0.9", port: 1 })
        const fiber = yield* Effect.forkChild(client.info("127.0.0.9:1"))
        yield* TestClock.adjust("100 millis")
        const { sent } = client.counters
        yield* Fiber.interrupt(fiber)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(client.counters.sent, sent)
      })
    )
  )
})

it.effect("the client passes every datagram to `onDatagram`", () => {
  const datagrams: Array<string> = []
  return withServer(
    Effect.fnUntraced(function* ({ client }) {
      yield* inTime(client.info(address))
      assert.deepEqual(datagrams, ["sent 25", "received 9", "sent 29", `received ${messages.INFO.length / 2}`])
    }),
    {},
    { onDatagram: (direction, bytes) => datagrams.push(`${direction} ${bytes.length}`) }
  )
})

describe("the client's settings", () => {
  it.effect("are used for a handshake if the call contains no settings", () =>
    Effect.gen(function* () {
      const datagrams: Array<string> = []
      const { client, net } = yield* setUp(
        {},
        { timeoutMs: 700, retries: 1, onDatagram: (direction) => datagrams.push(direction) }
      )
      yield* serve(net, () => [])
      const withClientSettings = Result.getOrThrow(yield* inTime(Effect.flip(client.handshake(address))))
      // The client sends one request in each of the three forms of the handshake. `retries` is 1, so the client also retransmits one
      // request.
      assert.deepInclude(withClientSettings, { _tag: "Timeout", sent: 4, received: 0 })
      assert.include(withClientSettings.message, "700 ms")
      assert.deepEqual(datagrams, ["sent", "sent", "sent", "sent"])
      const own = Result.getOrThrow(
        yield* inTime(Effect.flip(client.handshake(address, { timeoutMs: 900, retries: 0, form: "csgo" })))
      )
      assert.deepInclude(own, { _tag: "Timeout", sent: 1 })
      assert.include(own.message, "900 ms")
    })
  )
})
