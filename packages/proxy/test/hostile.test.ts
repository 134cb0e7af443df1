/** Game servers that send useless datagrams. The proxy nevertheless queries at its own rate, and serves cached replies. */
import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandle } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Responder } from "@sourcewire/server"
import { challengeReply } from "@sourcewire/server/machines"
import { css, info, inLab } from "./lab.ts"

type Send = (bytes: Uint8Array) => void

/** The behaviour of a hostile server. The server calls `answer` for each request, and `drip` every 50 ms. */
interface Behaviour {
  readonly name: string
  readonly answer?: (send: Send, turn: number) => void
  readonly drip?: (send: Send, turn: number) => void
}

/** Returns the fragment with the number `index` of a Source reply with `total` fragments. The reply is never complete. */
const fragment = (id: number, index: number, total: number): Uint8Array => {
  const bytes = new Uint8Array(600).fill(0x41)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, -2, true)
  view.setInt32(4, id, true)
  bytes[8] = total
  bytes[9] = index
  view.setInt16(10, 1248, true)
  return bytes
}

const BEHAVIOURS: ReadonlyArray<Behaviour> = [
  {
    name: "sends a flood of useless datagrams",
    answer: (send) => {
      for (let count = 0; count < 200; count++) send(Uint8Array.of(1, 2, 3, count & 255))
    }
  },
  {
    name: "sends challenges without end",
    answer: (send, turn) => {
      for (let count = 0; count < 20; count++) send(challengeReply(1 + turn * 20 + count))
    },
    drip: (send, turn) => send(challengeReply(-2 - turn))
  },
  {
    name: "begins split replies and never completes them",
    answer: (send, turn) => {
      for (let id = 1; id < 20; id++) send(fragment(turn * 100 + id, 0, 255))
    }
  },
  {
    name: "continuously sends fragments of a reply that is never complete",
    drip: (send, turn) => send(fragment(7, turn % 250, 255))
  },
  {
    name: "marks uncompressed fragments as compressed",
    answer: (send, turn) => {
      for (let index = 0; index < 2; index++) send(fragment((turn + 1) | 0x80000000, index, 2))
    }
  },
  {
    name: "replies with an unexpected message",
    answer: (send) => send(Uint8Array.of(255, 255, 255, 255, 0x4a, 0x6a, 0))
  },
  { name: "continuously sends ping replies", drip: (send) => send(Uint8Array.of(255, 255, 255, 255, 0x6a, 0)) }
]

describe("clients of a proxy", () => {
  it.effect.each(BEHAVIOURS)("receive cached replies without delay while the game server $name", ({ answer, drip }) =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const datagrams = yield* Datagrams
        const responder = new Responder(css)
        let isHostile = false
        let turn = 0
        let asker: Send = () => {}
        const socket: DatagramHandle = yield* datagrams.open(
          { family: 4, bind: { address: "127.0.0.1", port: 27_015 } },
          {
            onDatagram: (request, address, port) => {
              asker = (bytes) => socket.send(bytes, address, port)
              if (isHostile) answer?.(asker, turn++)
              else for (const reply of responder.respond(request, address, port, 0)) asker(reply)
            },
            onFault: () => {}
          }
        )
        yield* Effect.sleep(50).pipe(
          Effect.andThen(Effect.sync(() => (isHostile ? drip?.(asker, turn++) : undefined))),
          Effect.forever,
          Effect.forkScoped
        )
        const proxy = yield* start({ refreshMs: 1000, timeoutMs: 500, maxStaleMs: 120_000 })
        yield* TestClock.adjust(1500)
        const before = proxy.status()[0]!.back
        isHostile = true
        yield* TestClock.adjust(30_000)
        const { back, state } = proxy.status()[0]!
        assert.strictEqual(state, "stale")
        // Each refresh of the proxy ends within its time limit. After a refresh that needed many datagrams, the proxy waits longer than usual
        // before the next refresh.
        assert.isAtLeast(back.failed.info - before.failed.info, 8)
        assert.isAtMost(back.sent - before.sent, 30 * 6)
        assert.deepInclude(yield* during(1000, client.info(proxy.at)), info)
        isHostile = false
        yield* TestClock.adjust(5000)
        assert.strictEqual(proxy.status()[0]!.state, "fresh")
      })
    )
  )
})

describe("the lookup of a name", () => {
  it.effect("ends after the configured timeout, even if the name server never replies", () =>
    inLab(({ events, network, start }) =>
      Effect.gen(function* () {
        const slow = { ...network.datagrams, resolve: () => Effect.never }
        const proxy = yield* start({ upstream: "game.example", timeoutMs: 700 }).pipe(
          Effect.provideService(Datagrams, slow)
        )
        yield* TestClock.adjust(20_000)
        assert.isAtLeast(proxy.status()[0]!.back.failed.info, 8)
        assert.match(JSON.stringify(events[1]), /The name game\.example was not resolved within 700 ms/)
      })
    )
  )
})
