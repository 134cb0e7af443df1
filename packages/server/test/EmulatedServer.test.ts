import { assert, describe, it } from "@effect/vitest"
import { Client, Datagrams } from "@sourcewire/core"
import { layerOf, makeNetwork } from "@sourcewire/core/testing"
import type { InfoReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmulatedServer, profiles } from "../src/index.ts"

/** A server and a client on a network in memory, in virtual time. */
const withServer = (
  options: EmulatedServer.ServerOptions,
  use: (server: EmulatedServer.EmulatedServer, client: typeof Client.Service) => Effect.Effect<void, unknown>
) =>
  Effect.gen(function* () {
    const network = yield* makeNetwork()
    const transport = layerOf(network)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* EmulatedServer.make(options)
        const running = yield* Effect.forkChild(use(server, yield* Client))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(running)
      }).pipe(Effect.provide(Layer.merge(Layer.provide(Client.layer(), transport), transport)))
    )
    assert.strictEqual(network.openSockets, 0)
  })

const at = ({ address, port }: EmulatedServer.EmulatedServer) => `${address}:${port}`

describe("EmulatedServer", () => {
  it.effect("answers on loopback, names the port it got, and counts", () =>
    withServer({ profile: "css" }, (server, client) =>
      Effect.gen(function* () {
        const info = yield* client.info(at(server))
        assert.strictEqual(server.address, "127.0.0.1")
        assert.deepInclude(info, { _tag: "InfoReply", port: server.port, game: "Counter-Strike: Source" })
        const { bytesIn, bytesOut, ...counts } = server.counters()
        assert.deepEqual(counts, { requests: 2, replies: 2, unanswered: 0, dropped: 0, socketFaults: 0 })
        assert.isTrue(bytesIn === 54 && bytesOut > 100)
      })
    )
  )

  it.effect("compresses without being given a compressor", () =>
    withServer({ profile: "tf2" }, (server, client) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* client.rules(at(server)), profiles.tf2().rules as object)
        assert.isBelow(server.counters().bytesOut, 5000)
      })
    )
  )

  it.effect("asks live values anew for every query", () => {
    let count = 0
    const base = profiles.ship()
    const info = (): InfoReply => ({ ...(base.info as InfoReply), players: ++count })
    return withServer({ profile: { ...base, info } }, (server, client) =>
      Effect.gen(function* () {
        const before = yield* client.info(at(server))
        const after = yield* client.info(at(server))
        assert.strictEqual(after.players, before.players + 1)
      })
    )
  })

  it.effect("delays by the clock, and drops what is under way when it closes", () =>
    // Well below the first retransmission, after which the round trip could be counted from either datagram.
    withServer({ faults: { delayMs: 200 } }, (server, client) =>
      Effect.gen(function* () {
        const { rttMs } = yield* client.ask("info", at(server))
        assert.isTrue(rttMs >= 200 && rttMs < 300)
      })
    )
  )

  it.effect("lets an extension have its datagrams first", () =>
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
          assert.deepEqual((yield* client.players(at(server))).players, [])
          assert.strictEqual((yield* client.info(at(server))).game, "Half-Life")
        })
    )
  )

  it.effect("refuses faults on an address that others can reach, and profiles without bytes", () =>
    Effect.gen(function* () {
      const network = yield* makeNetwork()
      const start = (options: EmulatedServer.ServerOptions) =>
        EmulatedServer.make(options).pipe(
          Effect.scoped,
          Effect.provideService(Datagrams, network.datagrams),
          Effect.flip
        )
      assert.strictEqual((yield* start({ host: "0.0.0.0", faults: { duplicate: 1 } }))._tag, "InvalidServer")
      const info: InfoReply = { ...(profiles.ship().info as InfoReply), map: "a\0b" }
      assert.strictEqual((yield* start({ profile: { ...profiles.ship(), info } }))._tag, "EncodeError")
    })
  )
})
