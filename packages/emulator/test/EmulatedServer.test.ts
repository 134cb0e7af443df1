import { assert, describe, it } from "@effect/vitest"
import { Client } from "@sourcewire/core"
import { networkLayer, makeNetwork, MemoryNetwork } from "@sourcewire/core/testing"
import { Datagrams } from "@sourcewire/core/transport"
import { liveTiming } from "@sourcewire/core/engine"
import type { InfoReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { ServerOptions } from "../src/EmulatedServer.ts"
import { makeServer, profiles, startServer } from "../src/index.ts"
import { profileNames } from "../src/machines.ts"
import { InvalidOption } from "@sourcewire/server"

/** Runs a test with a server and a client on a simulated network, in virtual time. Then checks that all sockets are closed. */
const withServer = (
  options: ServerOptions,
  use: (
    server: Effect.Success<ReturnType<typeof makeServer>>,
    client: typeof Client.Service
  ) => Effect.Effect<void, unknown>
) =>
  Effect.gen(function* () {
    const network = yield* makeNetwork()
    const transport = networkLayer(network)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* makeServer(options)
        const running = yield* Effect.forkChild(use(server, yield* Client))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(running)
      }).pipe(Effect.provide(Layer.merge(Layer.provide(Client.layer(), transport), transport)))
    )
    assert.strictEqual(network.openSockets, 0)
  })

const formatAddress = ({ address, port }: { readonly address: string; readonly port: number }) => `${address}:${port}`

describe("EmulatedServer", () => {
  it.effect("replies on loopback, reports its port, and counts datagrams", () =>
    withServer({ profile: "css" }, (server, client) =>
      Effect.gen(function* () {
        const info = yield* client.info(formatAddress(server))
        assert.strictEqual(server.address, "127.0.0.1")
        assert.deepInclude(info, { _tag: "InfoReply", port: server.port, game: "Counter-Strike: Source" })
        const { bytesIn, bytesOut, ...counts } = server.counters()
        assert.deepEqual(counts, { requests: 2, replies: 2, unanswered: 0, dropped: 0, socketFaults: 0 })
        assert.isTrue(bytesIn === 54 && bytesOut > 100)
      })
    )
  )

  it.effect("passes its port to the profile if the profile is a function", () =>
    withServer({ profile: (port) => profiles.css({ port, people: 3 }) }, (server, client) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* client.info(formatAddress(server)), { port: server.port, players: 7 })
      })
    )
  )

  it.effect("compresses replies if the profile uses compression", () =>
    withServer({ profile: "tf2" }, (server, client) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* client.rules(formatAddress(server)), profiles.tf2().rules as object)
        assert.isBelow(server.counters().bytesOut, 5000)
      })
    )
  )

  it.effect("calls `info` of the profile for every query if `info` is a function", () => {
    let count = 0
    const base = profiles.ship()
    const info = (): InfoReply => ({ ...(base.info as InfoReply), players: ++count })
    return withServer({ profile: { ...base, info } }, (server, client) =>
      Effect.gen(function* () {
        const before = yield* client.info(formatAddress(server))
        const after = yield* client.info(formatAddress(server))
        assert.strictEqual(after.players, before.players + 1)
      })
    )
  })

  it.effect("delays datagrams by the configured time", () =>
    // The reply arrives long before the first retransmission is due, so the round-trip time is not ambiguous.
    withServer({ faults: { delayMs: 200 } }, (server, client) =>
      Effect.gen(function* () {
        const { rttMs } = yield* client.queryKind("info", formatAddress(server))
        assert.isTrue(rttMs >= 200 && rttMs < 300)
      })
    )
  )

  it.effect("drops delayed datagrams when the server is closed", () =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const scope = yield* Scope.make()
      const server = yield* makeServer({ profile: "hltv", faults: { delayMs: 2000 } }).pipe(
        Effect.provide(networkLayer(network)),
        Scope.provide(scope)
      )
      const socket = yield* network.datagrams.open({ family: 4 }, { onDatagram: () => {}, onFault: () => {} })
      const request = Uint8Array.from("\xff\xff\xff\xffTSource Engine Query\0", (c) => c.charCodeAt(0))
      const send = () => socket.send(request, server.address, server.port)
      send()
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(network.counters.sent, 2)
      send()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(server.counters().requests, 2)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(network.counters.sent, 3)
    }).pipe(Effect.scoped)
  )

  /** Sends simultaneous INFO requests from one address, and returns the numbers of replies and of dropped datagrams. */
  const countReplies = Effect.fnUntraced(function* (options: ServerOptions, requests: number) {
    const network = yield* makeNetwork()
    const server = yield* Effect.provide(makeServer(options), networkLayer(network))
    let replies = 0
    const onDatagram = (): void => void replies++
    const socket = yield* network.datagrams.open({ family: 4 }, { onDatagram, onFault: () => {} })
    const request = Uint8Array.from("\xff\xff\xff\xffTSource Engine Query\0", (c) => c.charCodeAt(0))
    for (let i = 0; i < requests; i++) socket.send(request, server.address, server.port)
    yield* TestClock.adjust("10 seconds")
    return { replies, dropped: server.counters().dropped }
  })

  it.effect(
    "replies to at most 200 simultaneous requests of one client by default if the server listens on a public address",
    () =>
      Effect.gen(function* () {
        const hltv = { profile: "hltv", allowAmplification: true } as const
        assert.strictEqual((yield* countReplies(hltv, 1000)).replies, 1000)
        assert.strictEqual((yield* countReplies({ ...hltv, host: "192.0.2.1" }, 1000)).replies, 200)
        const limit = { perSecond: 1, burst: 7 }
        assert.strictEqual((yield* countReplies({ ...hltv, host: "192.0.2.1", limit }, 1000)).replies, 7)
      })
  )

  it.effect("stores up to 4096 delayed datagrams, and counts further datagrams as dropped", () =>
    Effect.gen(function* () {
      const delayed = yield* countReplies({ profile: "hltv", faults: { delayMs: 2000 } }, 5000)
      assert.deepEqual(delayed, { replies: 4096, dropped: 904 })
    })
  )

  it.effect("does not reply to a datagram that `intercept` has handled", () =>
    withServer(
      {
        profile: "xash3d",
        intercept: (datagram, _address, _port, reply) => {
          if (datagram[4] !== 0x55) return false
          reply(Uint8Array.of(255, 255, 255, 255, 0x44, 0))
          return true
        }
      },
      (server, client) =>
        Effect.gen(function* () {
          assert.deepEqual((yield* client.players(formatAddress(server))).players, [])
          assert.strictEqual((yield* client.info(formatAddress(server))).game, "Half-Life")
        })
    )
  )

  it.effect(
    "rejects faults if the server listens on a public address, and rejects profiles that cannot be encoded",
    () =>
      Effect.gen(function* () {
        const network = yield* makeNetwork()
        const start = (options: ServerOptions) =>
          makeServer(options).pipe(Effect.scoped, Effect.provideService(Datagrams, network.datagrams), Effect.flip)
        assert.strictEqual((yield* start({ host: "0.0.0.0", faults: { duplicate: 1 } }))._tag, "InvalidOption")
        const info: InfoReply = { ...(profiles.ship().info as InfoReply), map: "a\0b" }
        assert.strictEqual((yield* start({ profile: { ...profiles.ship(), info } }))._tag, "EncodeError")
      })
  )

  const startAndCatch = (options: ServerOptions) =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const started = makeServer(options).pipe(
        Effect.scoped,
        Effect.provideService(Datagrams, network.datagrams),
        Effect.result
      )
      return Result.match(yield* started, {
        onSuccess: () => undefined,
        onFailure: (error) => (error._tag === "InvalidOption" ? error.option : error._tag)
      })
    })

  const replyingToUnverified = profileNames.filter((name) => (profiles[name]().trusts ?? []).length > 0)

  it.effect.each(["127.0.0.1", "127.255.3.4", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::FFFF:7f00:0001"])(
    "can listen on the loopback address %s with a profile that replies to unverified addresses",
    (host) =>
      Effect.gen(function* () {
        for (const profile of replyingToUnverified) assert.isUndefined(yield* startAndCatch({ profile, host }), profile)
      })
  )

  it.effect.each([
    "0.0.0.0",
    "::",
    "0:0:0:0:0:0:0:0",
    "::ffff:0.0.0.0",
    "::ffff:0:0",
    "128.0.0.1",
    "192.0.2.1",
    "::2",
    "::ffff:192.0.2.1",
    "::7f00:1",
    "2001:db8::127.0.0.1",
    "fe80::1%lo"
  ])("listens on %s with a profile that replies to unverified addresses only if `allowAmplification` is set", (host) =>
    Effect.gen(function* () {
      assert.isNotEmpty(replyingToUnverified)
      for (const profile of replyingToUnverified) {
        assert.strictEqual(yield* startAndCatch({ profile, host }), "allowAmplification", profile)
        assert.strictEqual(yield* startAndCatch({ profile: profiles[profile](), host }), "allowAmplification", profile)
        const made = () => profiles[profile]()
        assert.strictEqual(yield* startAndCatch({ profile: made, host }), "allowAmplification", profile)
        assert.isUndefined(yield* startAndCatch({ profile, host, allowAmplification: true }), profile)
      }
      assert.isUndefined(yield* startAndCatch({ profile: "css", host }))
    })
  )

  // TypeScript rejects these values, but a JavaScript program can pass them.
  it.effect.each<readonly [string, unknown]>([
    ["options", null],
    ["options", "css"],
    ["profile", { profile: "nope" }],
    ["profile", { profile: "toString" }],
    ["profile", { profile: 5 }],
    ["profile", { profile: () => assert.fail("thrown") }],
    ["profile.name", { profile: {} }],
    ["profile.oversize", { profile: { name: "mine" } }],
    ["profile.oversize.how", { profile: { ...profiles.css(), oversize: { how: "no", maxBytes: 1400 } } }],
    ["profile.oversize.maxBytes", { profile: { ...profiles.css(), oversize: { how: "truncate", maxBytes: "9" } } }],
    ["profile.info", { profile: { ...profiles.css(), info: 5 } }],
    ["profile.ping", { profile: { ...profiles.css(), ping: "★" } }],
    ["profile.trusts", { profile: { ...profiles.css(), trusts: "info" } }],
    ["profile.trusts.0", { profile: { ...profiles.css(), trusts: ["everything"] } }],
    ["profile.texts.status", { profile: { ...profiles.css(), texts: { status: "ok" } } }],
    ["profile.texts.status.latin1", { profile: { ...profiles.css(), texts: { status: { latin1: 5 } } } }],
    ["profile.challenge.lifetimeMs", { profile: { ...profiles.css(), challenge: { lifetimeMs: 0 } } }],
    ["profile.challenge.onWrong", { profile: { ...profiles.css(), challenge: { onWrong: "ban" } } }],
    ["profile.encoding", { profile: { ...profiles.css(), encoding: "utf-16" } }],
    ["host", { host: "localhost" }],
    ["host", { host: "" }],
    ["host", { host: 127 }],
    ["port", { port: "27015" }],
    ["port", { port: 65_536 }],
    ["port", { port: 1.5 }],
    ["port", { port: Number.NaN }],
    ["faults", { faults: ["loss=1"] }],
    ["faults.loss", { faults: { loss: 2 } }],
    ["faults.delayMs", { faults: { delayMs: "50" } }],
    ["faults.spoof", { faults: { spoof: 1 } }],
    ["intercept", { intercept: {} }],
    ["limit", { limit: 100 }],
    ["limit.perSecond", { limit: {} }],
    ["limit.perSecond", { limit: { perSecond: 0 } }],
    ["limit.burst", { limit: { perSecond: 1, burst: 0 } }],
    ["limit.answerBytes", { limit: { perSecond: 1, answerBytes: 0 } }],
    ["limit.addresses", { limit: { perSecond: 1, addresses: 1e9 } }],
    ["allowAmplification", { allowAmplification: "no" }]
  ])("rejects an invalid value of %s (case %#)", ([option, options]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* startAndCatch(options as ServerOptions), option)
    })
  )

  it("rejects invalid options in the Promise API", async () => {
    const options = async (given: unknown): Promise<string> => {
      const error = await startServer(given as Parameters<typeof startServer>[0]).then(
        () => assert.fail("started"),
        (reason: unknown) => reason
      )
      assert.instanceOf(error, InvalidOption)
      assert.include(error.message, error.option)
      return error.option
    }
    const transport = networkLayer(new MemoryNetwork(liveTiming))
    assert.strictEqual(await options(undefined), "transport")
    assert.strictEqual(await options(null), "options")
    assert.strictEqual(await options({ transport: {} }), "transport")
    assert.strictEqual(await options({ transport, profile: "nope" }), "profile")
    assert.strictEqual(await options({ transport, profile: "hltv", host: "0.0.0.0" }), "allowAmplification")
  })
})
