/** A client and game servers on a network in memory. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import type { ClientShape } from "../src/client/ClientShape.ts"
import { Client } from "../src/client/Client.ts"
import type { ClientOptions } from "../src/client/Options.ts"
import type { MemoryNetwork } from "../src/testing/Testing.ts"
import { networkLayer, makeNetwork, seededRandom } from "../src/testing/Testing.ts"
import { SERVER, serve } from "./memoryServer.ts"
import * as messages from "./messages.ts"

/** The address of the server in {@link withServer}. */
export const address = `${SERVER.address}:${SERVER.port}`

/** Creates a network and a client on it. The client is closed when the test's scope ends. */
export const setUp = Effect.fnUntraced(function* (
  network?: Parameters<typeof makeNetwork>[0],
  options?: ClientOptions
) {
  const net = yield* makeNetwork({ names: { "game.example": SERVER.address }, ...network })
  const context = yield* Layer.build(
    Layer.provide(Client.layer({ random: seededRandom(3), ...options }), networkLayer(net))
  )
  return { net, client: yield* Effect.provide(Client, context) }
})

/** Runs the effect, advances the clock by a minute, and returns the effect's result. */
export const inTime = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(effect))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

const CHALLENGE = "0a0b0c0d"

/** Returns the replies of a server that requires a challenge for every query, except for A2A_PING. */
export const answers = (request: string): ReadonlyArray<string> => {
  if (!request.endsWith(CHALLENGE))
    return request === messages.ASK_PING ? [messages.PONG] : [messages.challengeHex(CHALLENGE)]
  if (request.startsWith(messages.ASK_INFO)) return [messages.INFO]
  return request.startsWith("ffffffff55") ? [messages.PLAYERS] : messages.RULES_SPLIT
}

export const withServer = (
  test: (fixture: {
    readonly net: MemoryNetwork
    readonly client: ClientShape
    readonly requests: Array<string>
  }) => Effect.Effect<void, unknown, Scope.Scope>,
  network?: Parameters<typeof makeNetwork>[0],
  options?: ClientOptions
) =>
  Effect.gen(function* () {
    const { client, net } = yield* setUp(network, options)
    const requests: Array<string> = []
    yield* serve(net, (request) => {
      requests.push(request)
      return answers(request)
    })
    yield* test({ net, client, requests })
  })
