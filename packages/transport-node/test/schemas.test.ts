import { assert, describe, it } from "@effect/vitest"
import * as core from "@sourcewire/core"
import { connect, logs, rulesRecord, scan } from "@sourcewire/core"
import { errors, results } from "@sourcewire/core/schemas"
import type { Datagrams } from "@sourcewire/core/transport"
import { makeServer, profiles } from "@sourcewire/emulator"
import { makeLogSender } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import { layer } from "../src/effect.ts"

/** Encodes the value as JSON and decodes it again. */
const sendAsJson = <A>(schema: Schema.Codec<A, unknown>, value: A): A => {
  const codec = Schema.toCodecJson(schema)
  return Schema.decodeUnknownSync(codec)(JSON.parse(JSON.stringify(Schema.encodeSync(codec)(value))))
}

describe("schemas of results", () => {
  it.live("restore the results of all kinds of queries from JSON", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer({ profile: profiles.css(), port: 0 })
      const old = yield* makeServer({ profile: profiles.cs16(), port: 0 })
      const at = `127.0.0.1:${port}`
      const client = yield* connect({ timeoutMs: 2000 })
      const assertRestored = <A>(schema: Schema.Codec<A, unknown>, value: A) =>
        assert.deepEqual(sendAsJson(schema, value), value)
      const all = yield* client.query(at)
      assertRestored(results.query, all)
      assertRestored(results.query, {
        ...all,
        errors: { rules: new core.Timeout({ message: "a", address: at, phase: "split", sent: 1, received: 2 }) }
      })
      assertRestored(Schema.Record(Schema.String, Schema.String), { ...rulesRecord(all.rules!) })
      assertRestored(results.info, yield* client.info(`127.0.0.1:${old.port}`))
      assertRestored(results.ping, yield* client.ping(at))
      for (const kind of ["info", "players", "rules", "challenge", "ping"] as const) {
        assertRestored<unknown>(results.ask[kind], yield* client.queryKind(kind, at))
        if (kind !== "ping") assertRestored<unknown>(results[kind], yield* client[kind](at))
      }
      for (const query of ["info", "players", "rules", "all"] as const) {
        const scanResults = yield* Stream.runCollect(
          scan([at, { host: "127.0.0.1", port }, { host: "127.0.0.1", port: 1 }], query, { timeoutMs: 200, retries: 0 })
        )
        assert.strictEqual(scanResults.length, 2)
        for (const result of scanResults) assertRestored<unknown>(results.scan[query], result)
      }
      const receiver = yield* logs()
      const sender = yield* makeLogSender({ targets: [receiver.local] })
      yield* sender.send("hello")
      const [entry] = yield* Stream.runCollect(Stream.take(receiver.entries, 1))
      assertRestored(results.logEntry, entry!)
      const origin = { token: "S1", instance: "12", address: "192.0.2.1:27015", steamId: "[A:1:2:3]", map: "de_dust2" }
      assertRestored(results.logEntry, { ...entry!, origin: { ...origin, state: "in progress" }, missedBytes: 3 })
      const page = { number: 1, seed: "0.0.0.0:0", servers: ["192.0.2.1:27015"], duplicates: 0 }
      assertRestored(results.masterPage, { ...page, end: "complete" })
      const reply = { _tag: "ChallengeReply", challenge: 1 } as const
      assertRestored(results.handshake, {
        reply,
        clientChallenge: 2,
        rttMs: 1.5,
        rttAmbiguous: true,
        sent: 1,
        received: 1
      })
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})

class Queries extends RpcGroup.make(
  Rpc.make("Query", { payload: { address: Schema.String }, success: results.query, error: errors.ClientError }),
  Rpc.make("Scan", { payload: { address: Schema.String }, success: results.scan.info, stream: true })
) {}

it.live("results and errors can be transferred over RPC with the schemas", () =>
  Effect.gen(function* () {
    const { port } = yield* makeServer({ profile: profiles.css(), port: 0 })
    const client = yield* connect({ timeoutMs: 2000 })
    const context = yield* Effect.context<Datagrams>()
    const handlers = Queries.toLayer({
      Query: ({ address }) => client.query(address),
      Scan: ({ address }) =>
        scan([address, "127.0.0.1:1"], "info", { timeoutMs: 100, retries: 0 }).pipe(
          Stream.orDie,
          Stream.provideContext(context)
        )
    })
    const web = HttpRouter.toWebHandler(
      RpcServer.layerHttp({ group: Queries, path: "/rpc", protocol: "http" }).pipe(
        Layer.provide([handlers, RpcSerialization.layerNdjson]),
        Layer.provide(HttpServer.layerServices)
      ),
      { disableLogger: true }
    )
    yield* Effect.addFinalizer(() => Effect.promise(() => web.dispose()))
    const toHandler = Layer.succeed(FetchHttpClient.Fetch, (input: string | URL | Request, init?: RequestInit) =>
      web.handler(new Request(input, init))
    )
    const protocolLayer = RpcClient.layerProtocolHttp({ url: "http://localhost/rpc" }).pipe(
      Layer.provide([FetchHttpClient.layer.pipe(Layer.provide(toHandler)), RpcSerialization.layerNdjson])
    )
    yield* Effect.gen(function* () {
      const rpc = yield* RpcClient.make(Queries)
      const address = `127.0.0.1:${port}`
      const { info, players, rules } = yield* rpc.Query({ address })
      assert.deepInclude(yield* client.query(address), { info, rules: rules! })
      assert.strictEqual(players?._tag, "PlayersReply")
      const closed = yield* Effect.flip(rpc.Query({ address: "127.0.0.1:1" }))
      assert.instanceOf(closed, core.PortClosed)
      assert.include(closed, { address: "127.0.0.1:1" })
      const invalid = yield* Effect.flip(rpc.Query({ address: ":" }))
      assert.instanceOf(invalid, core.InvalidAddress)
      const scanned = yield* Stream.runCollect(rpc.Scan({ address }))
      assert.sameMembers(
        scanned.map((result) => (result._tag === "Failed" ? result.error._tag : result.info._tag)),
        ["InfoReply", "Timeout"]
      )
    }).pipe(Effect.provide(protocolLayer))
  }).pipe(Effect.scoped, Effect.provide(layer))
)
