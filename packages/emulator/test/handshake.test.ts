import { assert, describe, it } from "@effect/vitest"
import { Client } from "@sourcewire/core"
import { layerOf, makeNetwork } from "@sourcewire/core/testing"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeServer } from "../src/index.ts"

describe("HandshakeResponder", () => {
  it.effect("stands in front of an emulated server, which goes on answering queries", () =>
    Effect.gen(function* () {
      const transport = layerOf(yield* makeNetwork({ loss: 0.2, seed: 9 }))
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
