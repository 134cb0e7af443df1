/** Invalid options of the client methods `query`, `queryKind`, `ping`, `handshake` and `run`. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ClientShape } from "../../src/client/ClientShape.ts"
import { inTime, setUp } from "../memoryClient.ts"

const wrong = (value: unknown): never => value as never

type Call = (client: ClientShape) => Effect.Effect<unknown, { readonly _tag: string; readonly message: string }>

describe("an invalid option", () => {
  const NAMED: ReadonlyArray<readonly [message: string, call: Call]> = [
    ["parts must be an array of ", (client) => client.query("127.0.0.1", { parts: wrong([]) })],
    ["parts must be an array of ", (client) => client.query("127.0.0.1", { parts: wrong(["map"]) })],
    ["parts must be an array of ", (client) => client.query("127.0.0.1", { parts: wrong("players") })],
    ["totalTimeoutMs must be a number of ms above 0", (client) => client.query("127.0.0.1", { totalTimeoutMs: 0 })],
    ["via must be one of auto, ping, info", (client) => client.ping("127.0.0.1", { via: wrong("rules") })],
    ["challenge must be a whole number of 32 bits", (client) => client.handshake("127.0.0.1", { challenge: 2 ** 32 })],
    ["challenge must be a whole number of 32 bits", (client) => client.handshake("127.0.0.1", { challenge: 0.5 })],
    ["form must be one of ", (client) => client.handshake("127.0.0.1", { form: wrong("quake") })],
    ["make must be a function that returns an exchange", (client) => client.run("127.0.0.1", wrong(undefined))],
    ["kind must be one of ", (client) => client.queryKind(wrong("map"), "127.0.0.1")],
    ["kind must be one of ", (client) => client.queryKind(wrong(undefined), "127.0.0.1")]
  ]

  it.effect.each(NAMED)("causes an error before any datagram is sent: %s", ([message, call]) =>
    Effect.gen(function* () {
      const { client, net } = yield* setUp()
      const error = Result.getOrThrow(yield* inTime(Effect.flip(call(client))))
      assert.strictEqual(error._tag, "InvalidOption")
      assert.include(error.message, message)
      assert.deepStrictEqual([client.counters.sent, net.counters.sent, net.openSockets], [0, 0, 0])
    })
  )
})
