import { assert, it } from "@effect/vitest"
import { Client, connect, logs, master, rcon, scan } from "@sourcewire/core"
import { Query, QueryExchange, readSettings } from "@sourcewire/core/query"
import { makeServer, profiles } from "@sourcewire/emulator"
import { makeMaster, makeSourceRcon } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { recordTelemetry } from "../../../tooling/testing/telemetry.ts"
import { layer } from "../src/effect.ts"

it.live("calls of a client have spans, and metrics count the calls", () =>
  Effect.gen(function* () {
    const { port } = yield* makeServer({ profile: profiles.css(), port: 0 })
    const at = `127.0.0.1:${port}`
    const client = yield* connect({ timeoutMs: 20_000 })
    const settings = Result.getOrThrow(readSettings(undefined, undefined))
    const { lines, spans } = yield* recordTelemetry(
      Effect.gen(function* () {
        yield* client.info(at)
        yield* client.players(at)
        yield* client.ping(at)
        yield* client.query(at)
        yield* client.run(at, (roundTrip) => new QueryExchange(Query.info, settings, roundTrip))
        yield* Effect.ignore(client.handshake(at, { timeoutMs: 20, form: "goldsource" }))
        yield* Effect.ignore(client.rules("127.0.0.1:1"))
        yield* Effect.ignore(client.challenge("no address:"))
      })
    )
    assert.deepEqual(
      spans.map(({ name }) => name),
      ["info", "players", "ping", "query", "run", "handshake", "rules", "challenge"].map(
        (query) => `sourcewire.${query}`
      )
    )
    for (const span of spans.slice(0, 4)) {
      assert.include(span.attributes, { "server.address": "127.0.0.1", "server.port": port })
      assert.isAtLeast(Number(span.attributes["sourcewire.attempts"]), 1, span.name)
      assert.isAbove(Number(span.attributes["sourcewire.round_trip_ms"]), 0, span.name)
      assert.notProperty(span.attributes, "error.type")
    }
    assert.include(spans[5]!.attributes, { "error.type": "Timeout", "sourcewire.received": 0 })
    assert.include(spans[6]!.attributes, { "error.type": "PortClosed", "server.port": 1 })
    assert.deepEqual(spans[7]!.attributes, { "sourcewire.query": "challenge", "error.type": "InvalidAddress" })
    assert.includeMembers(lines, [
      "# TYPE sourcewire_queries_total counter",
      'sourcewire_queries_total{query="info",outcome="answered"} 1',
      'sourcewire_queries_total{query="rules",outcome="PortClosed"} 1',
      "# TYPE sourcewire_round_trip_seconds histogram",
      'sourcewire_round_trip_seconds_count{query="info"} 1'
    ])
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("RCON sessions, masters, scans and log receivers have spans, which do not contain RCON commands", () =>
  Effect.gen(function* () {
    const { port } = yield* makeServer({ profile: profiles.css(), port: 0 })
    const console_ = yield* makeSourceRcon({ password: Redacted.make("pass"), port: 0, handler: () => "done" })
    const listed = yield* makeMaster({ servers: [{ address: "192.0.2.1:27015" }], port: 0 })
    const { lines, spans } = yield* recordTelemetry(
      Effect.gen(function* () {
        const session = yield* rcon(`127.0.0.1:${console_.local.port}`, {
          password: Redacted.make("pass"),
          engine: "source"
        })
        yield* session.exec("sv_password secret")
        yield* Stream.runDrain(session.stream("sv_password secret"))
        yield* Stream.runDrain(master(`127.0.0.1:${listed.port}`, { pageIntervalMs: 1 })).pipe(
          Effect.provide(Client.layer())
        )
        yield* Stream.runDrain(scan([`127.0.0.1:${port}`, "127.0.0.1:1", ":"], "info", { timeoutMs: 300, retries: 0 }))
        yield* logs()
      }).pipe(Effect.scoped, Effect.provide(layer))
    )
    assert.deepEqual(
      spans.map(({ name }) => name),
      ["rcon", "command", "command", "master", "run", "run", "scan", "logs"].map((query) => `sourcewire.${query}`)
    )
    assert.notInclude(JSON.stringify([spans, lines]), "pass")
    assert.include(spans[3]!.attributes, { "server.port": listed.port })
    assert.includeMembers(lines, [
      'sourcewire_queries_total{query="command",outcome="answered"} 1',
      'sourcewire_scan_targets_total{query="info",outcome="answered"} 1',
      'sourcewire_scan_targets_total{query="info",outcome="failed"} 2'
    ])
  }).pipe(Effect.scoped, Effect.provide(layer))
)
