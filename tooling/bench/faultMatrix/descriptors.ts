/**
 * Starts very many calls of one client on a machine with few file descriptors for sockets, or with none for a while. Uses our client and
 * our responder in virtual time.
 */
import { Client } from "@sourcewire/core"
import { networkLayer, makeNetwork, seededRandom } from "@sourcewire/core/testing"
import { profiles } from "@sourcewire/emulator"
import { Responder } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"

export interface Scarcity {
  readonly descriptors: number
  /** How long no descriptor is available, in ms. */
  readonly noneForMs?: number
}

const HOST = "127.0.0.2"
const FIRST_PORT = 1024

/** Queries `queries` servers at the same time. Returns the number of replies. */
export const simulateDescriptors = ({ descriptors, noneForMs = 0 }: Scarcity, queries: number): Promise<number> => {
  const program = Effect.gen(function* () {
    const network = yield* makeNetwork({ delayMs: 25, jitterMs: 10, loss: 0.02, seed: 1 })
    const responder = new Responder(profiles.css())
    for (let port = FIRST_PORT; port < FIRST_PORT + queries; port++) {
      const server = yield* network.datagrams.open(
        { family: 4, bind: { address: HOST, port } },
        {
          onFault: () => {},
          onDatagram: (bytes, address, from) => {
            for (const reply of responder.respond(bytes, address, from, 0)) server.send(reply, address, from)
          }
        }
      )
    }
    const { faults, openSockets } = network
    network.faults = { ...faults, descriptors: noneForMs > 0 ? 0 : openSockets + descriptors }
    const layer = Layer.provide(Client.layer({ random: seededRandom(1) }), networkLayer(network))
    const client = yield* Effect.provide(Client, yield* Layer.build(layer))
    const asked = yield* Effect.forkChild(
      Effect.forEach(
        Array.from({ length: queries }, (_, i) => FIRST_PORT + i),
        (port) => Effect.result(client.info({ host: HOST, port })),
        { concurrency: "unbounded" }
      )
    )
    yield* TestClock.adjust(noneForMs)
    network.faults = { ...faults, descriptors: openSockets + descriptors }
    yield* TestClock.adjust("2 minutes")
    return (yield* Fiber.join(asked)).filter(Result.isSuccess).length
  })
  return Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(TestClock.layer())))
}
