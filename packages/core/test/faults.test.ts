/**
 * The client on a bad network: many queries in virtual time, with random faults from a fixed seed. The fault matrix
 * (`packages/emulator/test`) injects more faults, and tests the exchanges and the engine without a client.
 */
import { assert, it } from "@effect/vitest"
import type { PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { Client } from "../src/client/Client.ts"
import type { MemoryNetwork } from "../src/testing/Testing.ts"
import { networkLayer, makeNetwork, seededRandom } from "../src/testing/Testing.ts"
import { serve } from "./memoryServer.ts"
import * as messages from "./messages.ts"

const SERVERS = 500
const HOST = "127.0.0.2"
const CHALLENGE = "0a0b0c0d"

/** Queries half of the servers for players, and the other half for rules. The replies to RULES are split. Returns the results. */
const queryFarm = Effect.fnUntraced(function* (faults: MemoryNetwork["faults"]) {
  const net = yield* makeNetwork({ delayMs: 25, jitterMs: 10, seed: 1, ...faults })
  const client = yield* Effect.provide(
    Client,
    yield* Layer.build(Layer.provide(Client.layer({ random: seededRandom(5) }), networkLayer(net)))
  )
  const ports = Array.from({ length: SERVERS }, (_, i) => 20_000 + i)
  yield* Effect.forEach(ports, (port) =>
    serve(
      net,
      (request) => {
        if (!request.endsWith(CHALLENGE)) return [messages.challengeHex(CHALLENGE)]
        return request.startsWith("ffffffff55") ? [messages.PLAYERS] : messages.RULES_SPLIT
      },
      { address: HOST, port }
    )
  )
  const queried = yield* Effect.forkChild(
    Effect.forEach(
      ports,
      (port) => Effect.result(client.queryKind(port % 2 === 0 ? "players" : "rules", { host: HOST, port })),
      { concurrency: "unbounded" }
    )
  )
  yield* TestClock.adjust("10 seconds")
  return { results: yield* Fiber.join(queried), counters: client.counters, net }
})

const EXPECTED = new Set([messages.playersReply, messages.rulesReply].map((reply) => JSON.stringify(reply)))

const isExpected = ({ value }: { readonly value: PlayersReply | RulesReply }): boolean =>
  EXPECTED.has(JSON.stringify(value))

it.effect("queries have the correct results despite duplicates, reordering and datagrams with spoofed sources", () =>
  Effect.gen(function* () {
    const { counters, net, results } = yield* queryFarm({
      duplicate: 0.3,
      reorder: 0.3,
      reorderMs: 60,
      spoof: 0.3,
      // If file descriptors are scarce, some queries share unconnected sockets. Only unconnected sockets receive datagrams with spoofed
      // sources.
      descriptors: SERVERS + 32
    })
    assert.isTrue(results.every((result) => Result.isSuccess(result) && isExpected(result.success)))
    assert.isAbove(net.counters.spoofed, 0)
    assert.isAbove(counters.unsolicited, 0)
  })
)

it.effect("if the network corrupts datagrams, each query ends with a reply or a typed error", () =>
  Effect.gen(function* () {
    const { net, results } = yield* queryFarm({ corrupt: 0.3, loss: 0.05 })
    const tags = new Set(results.filter(Result.isFailure).map(({ failure }) => failure._tag))
    for (const tag of tags) {
      assert.include(["Timeout", "Malformed", "Refused", "UnexpectedReply", "LimitExceeded", "TooManyChallenges"], tag)
    }
    assert.isAbove(results.filter(Result.isSuccess).length, 0.9 * SERVERS)
    assert.isAbove(net.counters.corrupted, 0)
  })
)
