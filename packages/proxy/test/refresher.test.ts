import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandle } from "@sourcewire/core/transport"
import type { PlayersReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { profiles } from "@sourcewire/emulator"
import { Responder } from "@sourcewire/server"
import { css, info, inLab, stoppable, upstream } from "./lab.ts"

/** A game server like Xash3D. It replies to PLAYER only if it has players and requires no password. */
const xash3d = (state: { players: number; password: boolean }) => {
  const infos = new Map<string, typeof info>()
  return upstream({
    ...css,
    // Profiles must return the same object while nothing changes.
    info: () => {
      const { password, players } = state
      const key = `${players} ${password}`
      if (!infos.has(key)) infos.set(key, { ...info, players, passwordProtected: password })
      return infos.get(key)
    },
    players: () => (state.players === 0 || state.password ? undefined : (css.players as PlayersReply))
  })
}

describe("a proxy that queries its game server", () => {
  it.effect("drops the list of players if an empty server no longer replies to PLAYER", () =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const state = { players: 3, password: false }
        yield* xash3d(state)
        const proxy = yield* start()
        yield* TestClock.adjust(1000)
        assert.isAbove((yield* during(100, client.players(proxy.at))).players.length, 0)
        state.players = 0
        yield* TestClock.adjust(5000)
        assert.deepInclude(yield* during(100, client.info(proxy.at)), { players: 0 })
        assert.deepEqual((yield* during(100, client.players(proxy.at))).players, [])
        assert.strictEqual(proxy.status()[0]!.state, "fresh")
      })
    )
  )

  it.effect("drops the list of players if the game server requires a password and no longer replies to PLAYER", () =>
    inLab(({ client, during, network, start }) =>
      Effect.gen(function* () {
        const state = { players: 3, password: false }
        yield* xash3d(state)
        const proxy = yield* start()
        yield* TestClock.adjust(1000)
        // While all datagrams are lost, the proxy starts to query PLAYER less often than once per cycle.
        network.faults = { loss: 1 }
        yield* TestClock.adjust(9000)
        network.faults = {}
        state.password = true
        yield* TestClock.adjust(5000)
        assert.deepInclude(yield* during(100, client.info(proxy.at)), { passwordProtected: true, players: 3 })
        const sent = network.counters.sent
        assert.strictEqual((yield* during(5000, Effect.flip(client.players(proxy.at))))._tag, "Timeout")
        assert.isAbove(network.counters.sent, sent)
      })
    )
  )

  it.effect("serves the list of players if the game server requires a password but replies to PLAYER", () =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const locked = { ...info, passwordProtected: true }
        let isLocked = false
        let isSilent = true
        yield* upstream({
          ...css,
          info: () => (isLocked ? locked : info),
          players: () => (isSilent ? undefined : (css.players as PlayersReply))
        })
        const proxy = yield* start()
        // After this time, PLAYER is queried only once in 30 s.
        yield* TestClock.adjust(20_000)
        isSilent = false
        isLocked = true
        yield* TestClock.adjust(2500)
        assert.deepEqual(yield* during(100, client.players(proxy.at)), css.players as PlayersReply)
      })
    )
  )

  it.effect(
    "queries PLAYER as soon as INFO reports players again, even after a long time without replies to PLAYER",
    () =>
      inLab(({ client, during, start }) =>
        Effect.gen(function* () {
          const state = { players: 0, password: false }
          yield* xash3d(state)
          const proxy = yield* start()
          yield* TestClock.adjust(120_000)
          assert.isBelow(proxy.status()[0]!.back.failed.players, 12)
          for (const change of [{ players: 2 }, { password: true }, { password: false }]) {
            Object.assign(state, change)
            yield* TestClock.adjust(70_000)
          }
          Object.assign(state, { password: true })
          yield* TestClock.adjust(110_000)
          Object.assign(state, { password: false })
          yield* TestClock.adjust(2500)
          assert.isAbove((yield* during(100, client.players(proxy.at))).players.length, 0)
        })
      )
  )

  it.effect(
    "resolves the name of a game server once a minute, and in every cycle while the server does not respond",
    () =>
      inLab(({ network, start }) =>
        Effect.gen(function* () {
          let lookUps = 0
          const { datagrams } = network
          const counting: typeof datagrams = {
            ...datagrams,
            resolve: (host) => Effect.suspend(() => (lookUps++, datagrams.resolve(host)))
          }
          const { stop } = yield* stoppable(css)
          yield* start({ upstream: "itself.example:27015" }).pipe(Effect.provideService(Datagrams, counting))
          yield* TestClock.adjust(50_000)
          assert.strictEqual(lookUps, 1)
          yield* TestClock.adjust(20_000)
          assert.strictEqual(lookUps, 2)
          yield* stop
          yield* TestClock.adjust(20_000)
          assert.isAtLeast(lookUps, 9)
        })
      )
  )

  it.effect.each([
    { pongs: true, most: 6 },
    { pongs: false, most: 30 }
  ])(
    "reuses the challenge of the game server, and rarely queries the ages of replies (the game server replies to pings: $pongs)",
    ({ most, pongs }) =>
      inLab(({ start }) =>
        Effect.gen(function* () {
          const { ping: _, ...silent } = css
          yield* upstream(pongs ? css : silent)
          const proxy = yield* start()
          // Two cycles need seven datagrams: two per query of INFO, one per query of PLAYER, and one for RULES. PLAYER and RULES reuse the
          // challenge of INFO.
          yield* TestClock.adjust(2500)
          assert.strictEqual(proxy.status()[0]!.back.sent, 7)
          yield* TestClock.adjust(237_500)
          const { answered, sent } = proxy.status()[0]!.back
          const ages = sent - 2 * answered.info - answered.players - answered.rules
          assert.isAtLeast(answered.info, 115)
          assert.isAtLeast(ages, 4)
          assert.isAtMost(ages, most)
        })
      )
  )

  it.effect("treats a game server as up even if its replies to INFO are malformed", () =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const { open } = yield* Datagrams
        const responder = new Responder(css)
        const broken = Uint8Array.of(255, 255, 255, 255, 0x49, 17, 0x41)
        const socket: DatagramHandle = yield* open(
          { family: 4, bind: { address: "127.0.0.1", port: 27_015 } },
          {
            onDatagram: (request, address, port) => {
              const replies = request[4] === 0x54 ? [broken] : responder.respond(request, address, port, 0)
              for (const reply of replies) socket.send(reply, address, port)
            },
            onFault: () => {}
          }
        )
        const proxy = yield* start()
        yield* TestClock.adjust(5000)
        assert.strictEqual(proxy.status()[0]!.state, "fresh")
        assert.isAbove(proxy.status()[0]!.back.failed.info, 0)
        assert.deepEqual(yield* during(100, client.players(proxy.at)), css.players as PlayersReply)
      })
    )
  )

  it.effect("detects the form in which the game server sends large replies", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        yield* upstream(profiles.tf2())
        const proxy = yield* start()
        yield* TestClock.adjust(1000)
        assert.deepInclude((yield* proxy.save)[0]!.oversize, { how: "split", layout: "source", bzip2: true })
      })
    )
  )

  it.effect(
    "while the game server is down, sends replies with the name in `offlineName`, without players and without rules",
    () =>
      inLab(({ client, during, start }) =>
        Effect.gen(function* () {
          const { stop } = yield* stoppable(css)
          const proxy = yield* start({ maxStaleMs: 2000, offlineName: "Back soon", refreshMs: 1000 })
          yield* TestClock.adjust(1000)
          yield* stop
          yield* TestClock.adjust(4000)
          const answer = yield* during(1000, client.query(proxy.at))
          assert.deepInclude(answer.info, { ...info, name: "Back soon", players: 0, bots: 0 })
          assert.deepEqual([answer.players?.players, answer.rules?.rules], [[], []])
        })
      )
  )
})
