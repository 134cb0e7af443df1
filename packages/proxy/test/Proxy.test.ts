import { assert, describe, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import type { InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeServer, profiles } from "@sourcewire/emulator"
import { makeProxy, type ProxyServerOptions } from "../src/index.ts"
import { css, info, inLab, stoppable, upstream, UPSTREAM_TEXT } from "./lab.ts"

describe("Proxy", () => {
  it.effect("replies to INFO, PLAYER and RULES from its cache, and queries the game server once per interval", () =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const server = yield* upstream(css)
        const proxy = yield* start({ refreshMs: 1000, rulesRefreshMs: 10_000 })
        yield* TestClock.adjust(100)
        for (let round = 0; round < 20; round++) {
          const answer = yield* during(100, client.query(proxy.at))
          assert.deepInclude(answer.info, info)
          assert.deepEqual(answer.players, css.players as PlayersReply)
          assert.deepEqual(answer.rules, css.rules as object)
        }
        const [status] = proxy.status()
        assert.strictEqual(status!.state, "fresh")
        assert.deepEqual(status!.back.answered, { info: 3, players: 3, rules: 1 })
        assert.strictEqual(server.counters().requests, status!.back.sent)
      })
    )
  )

  it.effect(
    "sends no more bytes to an unverified address than the proxy received from this address, even if the game server sends more",
    () =>
      inLab(({ network, start }) =>
        Effect.gen(function* () {
          yield* upstream(profiles.hltv())
          const proxy = yield* start()
          yield* TestClock.adjust(1000)
          const datagrams = yield* Datagrams
          const received: Array<number> = []
          const socket = yield* datagrams.open(
            { family: 4 },
            { onDatagram: (bytes) => void received.push(bytes.length), onFault: () => {} }
          )
          const requests = [
            "\u00ff\u00ff\u00ff\u00ffTSource Engine Query\0",
            "\u00ff\u00ff\u00ff\u00ffU\u00ff\u00ff\u00ff\u00ff",
            "\u00ff\u00ff\u00ff\u00ffV\u00ff\u00ff\u00ff\u00ff",
            "\u00ff\u00ff\u00ff\u00ffV\u0001\u0002\u0003\u0004",
            "\u00ff\u00ff\u00ff\u00ffU",
            "\u00ff\u00ff\u00ff\u00ffW",
            "\u00ff\u00ff\u00ff\u00ffi",
            "\u00ff\u00ff\u00ff\u00ffdetails",
            "\u00ff\u00ff\u00ff\u00ffrcon 1 secret status",
            "\u00ff\u00ff\u00ff\u00ffchallenge rcon\n",
            "rubbish",
            ""
          ].map((text) => Uint8Array.from(text, (c) => c.charCodeAt(0)))
          for (const request of requests) {
            received.length = 0
            socket.send(request, "127.0.0.1", 27_016)
            yield* TestClock.adjust(50)
            assert.isAtMost(
              received.reduce((sum, bytes) => sum + bytes, 0),
              request.length
            )
          }
          const { requests: counted, unanswered } = proxy.status()[0]!.front
          assert.deepEqual(counted, { info: 1, players: 2, rules: 2, ping: 1, getChallenge: 1, other: 5 })
          assert.strictEqual(unanswered, 7)
          assert.isAbove(network.counters.sent, 0)
        })
      )
  )

  it.effect(
    "serves the last replies of a stopped game server until they are too old, and serves new replies when the server is back",
    () =>
      inLab(({ client, during, events, start }) =>
        Effect.gen(function* () {
          const first = yield* stoppable(css)
          const proxy = yield* start({ maxStaleMs: 10_000 })
          yield* TestClock.adjust(1000)
          yield* first.stop
          yield* TestClock.adjust(5000)
          assert.strictEqual(proxy.status()[0]!.state, "stale")
          assert.deepInclude(yield* during(100, client.info(proxy.at)), info)
          yield* TestClock.adjust(6000)
          assert.strictEqual(proxy.status()[0]!.state, "gone")
          const error = yield* during(5000, Effect.flip(client.info(proxy.at)))
          assert.deepInclude(error, { _tag: "Timeout", phase: "request" })
          yield* upstream(profiles.css({ map: "de_nuke" }))
          yield* TestClock.adjust(3000)
          assert.deepInclude(yield* during(100, client.info(proxy.at)), { map: "de_nuke" })
          assert.deepEqual(
            events.map((event) => (event._tag === "State" ? event.state : event._tag)),
            ["Listening", "fresh", "stale", "gone", "fresh"]
          )
          assert.match((events[2] as { reason: string }).reason, /listens|unreachable/i)
        })
      )
  )

  it.effect.each([1000, 5000, 10_000, 29_000])("always serves rules, even if `maxStaleMs` is %i", (maxStaleMs) =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        const proxy = yield* start({ maxStaleMs })
        yield* TestClock.adjust(1000)
        for (let second = 0; second < 65; second++) {
          yield* TestClock.adjust(900)
          assert.deepEqual(proxy.status()[0]!.notServed, [], `after ${second} s`)
          assert.deepEqual((yield* during(100, client.rules(proxy.at))).rules, (css.rules as RulesReply).rules)
        }
      })
    )
  )

  it.effect("lists in its status the queries to which it does not reply", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        const withoutRules = { ...css, rules: () => undefined }
        const { stop } = yield* stoppable(withoutRules)
        const proxy = yield* start({ maxStaleMs: 10_000 })
        assert.deepEqual(proxy.status()[0]!.notServed, ["info", "players", "rules"])
        yield* TestClock.adjust(3000)
        assert.deepEqual(proxy.status()[0]!.notServed, ["rules"])
        yield* stop
        yield* TestClock.adjust(15_000)
        assert.deepEqual(proxy.status()[0]!.notServed, ["info", "players", "rules"])
      })
    )
  )

  it.effect("replies from its cache file after a restart, until the saved replies are too old", () =>
    inLab(({ client, during, start }) =>
      Effect.gen(function* () {
        const { stop } = yield* stoppable(profiles.cs16())
        const saved = yield* Effect.scoped(
          Effect.gen(function* () {
            const proxy = yield* start()
            yield* TestClock.adjust(1000)
            return yield* proxy.save
          })
        )
        yield* stop
        const read = JSON.parse(JSON.stringify(saved)) as typeof saved
        const proxy = yield* start({}, read)
        const answer = yield* during(1000, client.query(proxy.at))
        assert.deepInclude(answer.info, { protocol: 48, name: (profiles.cs16().info as InfoReply).name })
        assert.deepEqual(answer.legacy, profiles.cs16().legacyInfo as object)
        assert.deepEqual(answer.rules, profiles.cs16().rules as object)
        assert.strictEqual(proxy.status()[0]!.state, "stale")
        yield* TestClock.adjust(60_000)
        assert.strictEqual(proxy.status()[0]!.state, "gone")
      })
    )
  )

  it.effect("ignores an entry of its cache file if the entry is not a reply or has a time in the future", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        const datagrams = ["ffffffff6a00"]
        const proxy = yield* start({}, [
          {
            upstream: UPSTREAM_TEXT,
            replies: {
              info: { takenAt: 0, datagrams },
              players: { takenAt: 0, datagrams: ["zz"] },
              rules: { takenAt: 1, datagrams: ["ffffffff450000"] }
            }
          }
        ])
        assert.deepEqual(proxy.status()[0]!.ageMs, {})
        assert.strictEqual(proxy.status()[0]!.state, "starting")
      })
    )
  )

  it.effect("changes its servers while it runs, but changes nothing if one of the new servers is invalid", () =>
    inLab(({ client, during, events, start }) =>
      Effect.gen(function* () {
        yield* upstream(css)
        yield* makeServer({ profile: "cs16", port: 27_020 })
        const proxy = yield* start()
        yield* TestClock.adjust(1000)
        const before = proxy.status()[0]!.back.answered.info
        const portInUse = yield* Effect.flip(
          proxy.reconfigure([
            { upstream: "127.0.0.1:27020", port: 27_017 },
            { upstream: UPSTREAM_TEXT, port: 27_020 }
          ])
        )
        assert.strictEqual(portInUse._tag, "SendFailed")
        const twice = yield* Effect.flip(
          proxy.reconfigure([
            { upstream: "127.0.0.1:27020", port: 27_017 },
            { upstream: UPSTREAM_TEXT, port: 27_017 }
          ])
        )
        assert.strictEqual(twice.message, "Two servers listen on 127.0.0.1:27017. Give each its own port.")
        assert.deepEqual(
          proxy.status().map(({ listening, upstream }) => [listening, upstream]),
          [["127.0.0.1:27016", UPSTREAM_TEXT]]
        )
        yield* proxy.reconfigure([
          { upstream: UPSTREAM_TEXT, port: 27_016, refreshMs: 500 },
          { upstream: "127.0.0.1:27020", port: 27_017 }
        ])
        // After the change of settings, the proxy still serves the cached replies.
        assert.isDefined(proxy.status()[0]!.info)
        yield* TestClock.adjust(1000)
        assert.isAtLeast(proxy.status()[0]!.back.answered.info, before + 1)
        assert.deepInclude(yield* during(200, client.info("127.0.0.1:27017")), { protocol: 48 })
        const revision = proxy.revision()
        yield* proxy.reconfigure([{ upstream: "127.0.0.1:27020", port: 27_018 }])
        assert.isDefined(proxy.status()[0]!.info, "cached under its other listening address")
        yield* proxy.reconfigure([{ upstream: "127.0.0.1:27020", port: 27_016 }])
        assert.isAbove(proxy.revision(), revision)
        yield* TestClock.adjust(1000)
        assert.deepInclude(yield* during(200, client.info("127.0.0.1:27016")), { protocol: 48 })
        assert.strictEqual((yield* during(5000, Effect.flip(client.info("127.0.0.1:27017"))))._tag, "PortClosed")
        assert.deepEqual(
          events.filter(({ _tag }) => _tag !== "State").map(({ _tag, listening }) => `${_tag} ${listening}`),
          [
            "Listening 127.0.0.1:27016",
            "Listening 127.0.0.1:27017",
            "Closed 127.0.0.1:27016",
            "Closed 127.0.0.1:27017",
            "Listening 127.0.0.1:27018",
            "Closed 127.0.0.1:27018",
            "Listening 127.0.0.1:27016"
          ]
        )
      })
    )
  )

  it.effect(
    "if a change of settings replaces the game server, serves the replies of the previous game server until the new game server has been queried once",
    () =>
      inLab(({ client, during, start }) =>
        Effect.gen(function* () {
          yield* upstream(css)
          yield* makeServer({ profile: profiles.css({ map: "de_nuke" }), port: 27_020 })
          const proxy = yield* start()
          yield* TestClock.adjust(1000)
          const switchAndQuery = (address: string) =>
            Effect.gen(function* () {
              yield* proxy.reconfigure([{ upstream: address, port: 27_016, timeoutMs: 500 }])
              return yield* during(300, client.info(proxy.at, { timeoutMs: 250 }))
            })
          assert.deepInclude(yield* switchAndQuery("127.0.0.1:27020"), { map: info.map })
          assert.deepInclude(yield* during(300, client.info(proxy.at)), { map: "de_nuke" })
          // The port 27021 is closed. The game server at 192.0.2.1 does not reply.
          assert.strictEqual((yield* Effect.flip(switchAndQuery("127.0.0.1:27021")))._tag, "Timeout")
          yield* switchAndQuery(UPSTREAM_TEXT)
          assert.deepInclude(yield* during(300, client.info(proxy.at)), { map: info.map })
          const { open } = yield* Datagrams
          const silent = { address: "192.0.2.1", port: 27_015 }
          yield* open({ family: 4, bind: silent }, { onDatagram: () => {}, onFault: () => {} })
          assert.deepInclude(yield* switchAndQuery("192.0.2.1:27015"), { map: info.map })
          yield* TestClock.adjust(1000)
          assert.strictEqual((yield* during(5000, Effect.flip(client.info(proxy.at))))._tag, "Timeout")
        })
      )
  )

  it.effect("reports once that the name of a game server has no address, and sends no queries to this server", () =>
    inLab(({ client, during, events, start }) =>
      Effect.gen(function* () {
        const proxy = yield* start({ upstream: "game.example" })
        yield* TestClock.adjust(10_000)
        assert.deepInclude(events[1], {
          _tag: "State",
          state: "starting",
          reason: "The name game.example has no address."
        })
        assert.strictEqual(events.length, 2)
        assert.strictEqual((yield* during(5000, Effect.flip(client.info(proxy.at))))._tag, "Timeout")
        assert.strictEqual(proxy.status()[0]!.back.sent, 0)
      })
    )
  )

  it.effect("queries RULES at increasing intervals if the game server never replies to RULES", () =>
    inLab(({ start }) =>
      Effect.gen(function* () {
        yield* upstream(profiles.warsow())
        const proxy = yield* start({ refreshMs: 1000, timeoutMs: 500 })
        yield* TestClock.adjust(120_000)
        const { answered, failed } = proxy.status()[0]!.back
        assert.isAbove(answered.info, 100)
        assert.strictEqual(answered.rules, 0)
        assert.isBelow(failed.rules, 10)
      })
    )
  )
})

describe("invalid servers", () => {
  it.effect.each<readonly [servers: ReadonlyArray<ProxyServerOptions>, message: RegExp]>([
    [[{ upstream: "not an address" }], /is not an address/],
    [[{ upstream: "127.0.0.1", host: "example" }], /servers.0.host must be a numeric address.* not "example"/],
    [[{ upstream: "127.0.0.1", port: 70_000 }], /servers.0.port must be .* to 65535, not 70000/],
    [[{ upstream: "127.0.0.1", port: 27_015 }], /would query itself/],
    [[{ upstream: "localhost", host: "::1", port: 27_015 }], /would query itself/],
    [[{ upstream: "127.0.0.1", host: "0.0.0.0", port: 27_015 }], /would query itself/],
    [
      [
        { upstream: "127.0.0.1:1001", port: 1000 },
        { upstream: "192.0.2.1", port: 1003 },
        { upstream: "localhost:1002", port: 1001 },
        { upstream: "127.0.0.1:1000", host: "0.0.0.0", port: 1002 }
      ],
      /proxies for 127.0.0.1:1001, localhost:1002, 127.0.0.1:1000 would query each other in a circle/
    ],
    [[{ upstream: "127.0.0.1", refreshMs: 10 }], /refreshMs of 127.0.0.1:27015 must be from 100/],
    [[{ upstream: "127.0.0.1", maxStaleMs: Number.NaN }], /maxStaleMs/],
    [[{ upstream: "127.0.0.1", offlineName: "a\0b" }], /offlineName/],
    [
      [{ upstream: "127.0.0.1", publicAddress: "1.2.3" }],
      /publicAddress of 127.0.0.1:27015: "1.2.3" is not an address/
    ],
    [[{ upstream: "127.0.0.1", limit: { perSecond: 0 } }], /limit of 127.0.0.1:27015/],
    [[{ upstream: "127.0.0.1" }, { upstream: "127.0.0.1:27015" }], /twice/],
    [Array.from({ length: 257 }, (_, i) => ({ upstream: "127.0.0.1", port: 1000 + i })), /at most 256 servers/]
  ])("are rejected: %j", ([servers, message]) =>
    inLab(() =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(makeProxy({ servers }))
        assert.strictEqual(error._tag, "InvalidOption")
        assert.match(error.message, message)
      })
    )
  )
})
