import { assert, describe, it } from "@effect/vitest"
import { Client } from "@sourcewire/core"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { makeServer, profiles } from "../src/index.ts"

/** Starts an emulated server with these options, and returns the result of a handshake with this server. */
const runHandshake = Effect.fnUntraced(function* (given: Parameters<typeof makeServer>[0], loss = 0.2) {
  const transport = networkLayer(yield* makeNetwork({ loss, seed: 5 }))
  const server = yield* Effect.provide(makeServer(given), transport)
  const running = yield* Effect.forkChild(
    Effect.result(Client.use((client) => client.handshake(`${server.address}:${server.port}`))).pipe(
      Effect.provide(Layer.provide(Client.layer(), transport))
    )
  )
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(running)
})

describe("emulated servers", () => {
  const steam = { authProtocol: 3, authProtocolName: "steam" }
  it.effect.each<readonly [given: Parameters<typeof makeServer>[0], expected: object]>([
    [{ profile: "css" }, { form: "source", ...steam, steamId: "90071996842377216", vac: true }],
    [{ profile: "tf2" }, { form: "source", ...steam, steamId: "85568392924039421", vac: true }],
    [
      { profile: "csgo" },
      { form: "csgo", ...steam, steamId: "90136361812869131", vac: true, lobbyType: "", passwordRequired: false }
    ],
    [
      { profile: { ...profiles.csgo(), handshake: { form: "csgo", lobbyType: "public", password: "pw" } } },
      { form: "csgo", lobbyType: "public", passwordRequired: true }
    ],
    [
      { profile: { ...profiles.csgo(), handshake: { form: "csgo", redirect: "192.0.2.7:27016" } } },
      { redirect: "192.0.2.7:27016" }
    ],
    [{ profile: "sourcetv" }, { form: "source", authProtocol: 2, authProtocolName: "hashed-cd-key" }],
    // A server at a public address first sends a challenge of 9 bytes to the client.
    [
      { profile: "css", host: "192.0.2.1" },
      { form: "source", steamId: "90071996842377216" }
    ],
    [
      { profile: "csgo", host: "192.0.2.1" },
      { form: "csgo", steamId: "90136361812869131" }
    ],
    [{ profile: "cs16" }, { form: "goldsource", ...steam, steamId: "72057598332895232", vac: false }],
    [{ profile: "rehlds" }, { form: "goldsource", steamId: "72057598332895232" }],
    [{ profile: "hltv" }, { form: "goldsource", authProtocol: 2 }]
  ])("complete the handshake of their profile: %o (case %#)", ([given, expected]) =>
    Effect.gen(function* () {
      assert.deepInclude(Result.getOrThrow(yield* runHandshake(given)), expected)
    })
  )

  it.effect.each(["xash3d", "rust"] as const)(
    "do not reply to a handshake if the profile is %s, and the client's error reports that the server replies to queries",
    (profile) =>
      Effect.gen(function* () {
        const failure = Result.getOrThrow(Result.flip(yield* runHandshake({ profile }, 0)))
        assert.deepInclude(failure, { _tag: "Timeout", alive: true })
        assert.include(failure.message, "replies to queries (A2S_INFO), but not to this handshake")
      })
  )

  it.effect("do not start if the option `handshake.form` is invalid, and the error names this option", () =>
    Effect.gen(function* () {
      const transport = networkLayer(yield* makeNetwork({ loss: 0, seed: 1 }))
      const profile = { ...profiles.css(), handshake: { form: "quake" as never } }
      const failure = yield* Effect.flip(Effect.provide(makeServer({ profile }), transport))
      assert.include(failure.message, "profile.handshake.form")
    })
  )
})

describe("HandshakeResponder", () => {
  it.effect("replies to handshakes, and the emulated server behind the responder replies to queries", () =>
    Effect.gen(function* () {
      const transport = networkLayer(yield* makeNetwork({ loss: 0.2, seed: 9 }))
      const rest = Uint8Array.of(9, 9)
      const server = yield* Effect.provide(
        makeServer({ intercept: inFront(new HandshakeResponder({ rest }), () => 0) }),
        transport
      )
      const address = `${server.address}:${server.port}`
      const running = yield* Effect.forkChild(
        Effect.all([
          Client.use((client) => client.handshake(address)),
          Client.use((client) => client.info(address))
        ]).pipe(Effect.provide(Layer.provide(Client.layer(), transport)))
      )
      yield* TestClock.adjust("1 minute")
      const [{ authProtocolName, reply }, info] = yield* Fiber.join(running)
      assert.deepInclude(reply, { _tag: "HandshakeChallenge", rest: "0909" })
      assert.strictEqual(authProtocolName, "steam")
      assert.strictEqual(info._tag, "InfoReply")
    })
  )
})
