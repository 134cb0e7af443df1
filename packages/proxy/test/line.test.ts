import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { withChallenge } from "@sourcewire/server/machines"
import { css, inLab, upstream, UPSTREAM_TEXT } from "./lab.ts"

const bytes = (latin1: string): Uint8Array => Uint8Array.from(`\xff\xff\xff\xff${latin1}`, (c) => c.charCodeAt(0))
const PLAYERS = bytes("U\xff\xff\xff\xff")

/** Returns a function that sends a datagram to the proxy and returns the replies. */
const makeAsker = Effect.gen(function* () {
  const { open } = yield* Datagrams
  const replies: Array<Uint8Array> = []
  const socket = yield* open(
    { family: 4 },
    { onDatagram: (reply) => void replies.push(reply.slice()), onFault: () => {} }
  )
  return (request: Uint8Array) =>
    Effect.gen(function* () {
      replies.length = 0
      socket.send(request, "127.0.0.1", 27_016)
      yield* TestClock.adjust(50)
      return replies.map((reply) => reply.slice())
    })
})

describe("a server of a proxy", () => {
  it.effect("sends no more replies to a client's address than the limit allows", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        yield* start({ limit: { perSecond: 1, burst: 2 } })
        yield* TestClock.adjust(1000)
        const ask = yield* makeAsker
        const [challenge] = yield* ask(PLAYERS)
        const verified = withChallenge(PLAYERS, "players", new DataView(challenge!.buffer).getInt32(5, true))
        const counts: Array<number> = []
        for (let turn = 0; turn < 4; turn++) counts.push((yield* ask(verified)).length)
        assert.deepEqual(counts, [1, 1, 0, 0])
        yield* TestClock.adjust(1000)
        assert.strictEqual((yield* ask(verified)).length, 1)
      })
    )
  )

  it.effect(
    "after a change of settings, still accepts its earlier challenges, and queries the game server at the new interval",
    () =>
      inLab(({ start }) =>
        Effect.gen(function* () {
          const server = yield* upstream(css)
          const proxy = yield* start({ refreshMs: 200 })
          yield* TestClock.adjust(1000)
          const ask = yield* makeAsker
          const [challenge] = yield* ask(PLAYERS)
          yield* proxy.reconfigure([{ upstream: UPSTREAM_TEXT, port: 27_016, refreshMs: 60_000 }])
          yield* TestClock.adjust(100)
          const before = server.counters().requests
          const verified = withChallenge(PLAYERS, "players", new DataView(challenge!.buffer).getInt32(5, true))
          const [reply] = yield* ask(verified)
          assert.strictEqual(reply?.[4], 0x44)
          yield* TestClock.adjust(30_000)
          assert.strictEqual(server.counters().requests, before)
        })
      )
  )

  it.effect("is not restarted if a change of settings does not affect this server", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        const proxy = yield* start()
        yield* TestClock.adjust(5000)
        const { answered } = proxy.status()[0]!.back
        assert.isAbove(answered.info, 1)
        yield* proxy.reconfigure([
          { upstream: UPSTREAM_TEXT, port: 27_016 },
          { upstream: "127.0.0.1:27020", port: 27_017 }
        ])
        assert.deepEqual(proxy.status()[0]!.back.answered, answered)
      })
    )
  )

  it.effect("the proxy applies concurrent changes of settings one after the other", () =>
    inLab(({ network, start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        const { datagrams } = network
        const slow: typeof datagrams = {
          ...datagrams,
          open: (options, handler) => Effect.andThen(Effect.sleep(10), datagrams.open(options, handler))
        }
        const starting = yield* Effect.forkChild(start().pipe(Effect.provideService(Datagrams, slow)))
        yield* TestClock.adjust(100)
        const proxy = yield* Fiber.join(starting)
        const wanted = [
          { upstream: UPSTREAM_TEXT, port: 27_016 },
          { upstream: "127.0.0.1:27020", port: 27_017 }
        ]
        const changes = Effect.all([proxy.reconfigure(wanted), proxy.reconfigure(wanted)], { concurrency: 2 })
        const changing = yield* Effect.forkChild(changes)
        yield* TestClock.adjust(100)
        assert.strictEqual(changing.pollUnsafe()?._tag, "Success")
        assert.strictEqual(proxy.status().length, 2)
      })
    )
  )
})
