/** Tests that every public function with options rejects an unknown option. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Core from "../src/index.ts"
import { LogEntry } from "../src/log.ts"
import { MasterFilter } from "../src/master.ts"
import { connectWith, logsWith, masterWith, rconWith, scanWith, Streams } from "../src/transport.ts"
import * as Layer from "effect/Layer"
import { networkLayer, makeNetwork } from "../src/testing/Testing.ts"

const network = Effect.runSync(makeNetwork())
const datagrams = networkLayer(network)
const never = () => Effect.never
const streams = Layer.succeed(Streams, { connect: never, listen: never })
const transport = Layer.mergeAll(datagrams, streams, Layer.orDie(Layer.provide(Core.Client.layer(), datagrams)))

const client = connectWith(datagrams)()

const takeFirst = async (iterable: AsyncIterable<unknown>): Promise<unknown> => {
  for await (const one of iterable) return one
  return undefined
}

const runEffect = (make: Effect.Effect<unknown, unknown, never>): Promise<unknown> => Effect.runPromise(make)

const runWithTransport = <A, E, R>(make: Effect.Effect<A, E, R>): Promise<A> =>
  Effect.runPromise(Effect.scoped(make).pipe(Effect.provide(transport)) as Effect.Effect<A, E>)

const asOptions = (options: object): never => options as never

const cases: Readonly<Record<string, () => unknown>> = {
  "connect: timeout, timeoutMs": () => connectWith(datagrams)(asOptions({ timeout: 500 })),
  "connect (Effect): timeout, timeoutMs": () => runWithTransport(Core.connect(asOptions({ timeout: 500 }))),
  "info: timeout, timeoutMs": async () => (await client).info("127.0.0.1", asOptions({ timeout: 5 })),
  "info (Effect): timeout, timeoutMs": () =>
    runWithTransport(Core.Client.use((client) => client.info("127.0.0.1", asOptions({ timeout: 5 })))),
  "players: retry, retries": async () => (await client).players("127.0.0.1", asOptions({ retry: 5 })),
  "rules: retry, retries": async () => (await client).rules("127.0.0.1", asOptions({ retry: 5 })),
  "challenge: retry, retries": async () => (await client).challenge("127.0.0.1", asOptions({ retry: 5 })),
  "query: encdoing, encoding": async () => (await client).query("127.0.0.1", asOptions({ encdoing: "auto" })),
  "queryKind: famly, family": async () => (await client).queryKind("info", "127.0.0.1", asOptions({ famly: 4 })),
  "ping: viaa, via": async () => (await client).ping("127.0.0.1", asOptions({ viaa: "info" })),
  "handshake: chalenge, challenge": async () => (await client).handshake("127.0.0.1", asOptions({ chalenge: 1 })),
  "run (Effect): timeout, timeoutMs": () =>
    runWithTransport(
      Core.Client.use((client) =>
        client.run(
          "127.0.0.1",
          asOptions(() => {}),
          asOptions({ timeout: 5 })
        )
      )
    ),
  "scan: concurency, concurrency": () =>
    takeFirst(scanWith(datagrams)("127.0.0.1", "info", asOptions({ concurency: 5 }))),
  "scan (Effect): perhost, perHost": () =>
    runWithTransport(Stream.runDrain(Core.scan("127.0.0.1", "info", asOptions({ perhost: 5 })))),
  "ScanBudget: rates, rate": async () => new Core.ScanBudget(asOptions({ rates: 5 })),
  "rcon: pasword, password": () => rconWith(transport)("127.0.0.1", asOptions({ password: "", pasword: "x" })),
  "rcon (Effect): timeout, timeoutMs": () =>
    runWithTransport(Core.rcon("127.0.0.1", asOptions({ password: Redacted.make("x"), timeout: 5 }))),
  "logs: fromm, from": () => logsWith(datagrams)(asOptions({ fromm: ["127.0.0.1"] })),
  "logs (Effect): prot, port": () => runWithTransport(Core.logs(asOptions({ prot: 5 }))),
  "master: fliter, filter": () => takeFirst(masterWith(datagrams)("127.0.0.1", asOptions({ fliter: {} }))),
  "master (Effect): maxServer, maxServers": () =>
    runWithTransport(Stream.runDrain(Core.master("127.0.0.1", asOptions({ maxServer: 1 })))),
  "MasterFilter.toTerms: filter.gamdir, filter.gamedir": () =>
    runEffect(Effect.fromResult(MasterFilter.toTerms(asOptions({ gamdir: "cstrike" })))),
  "LogEntry.readLine: showPassword, showPasswords": async () =>
    LogEntry.readLine(asOptions({}), asOptions({ showPassword: true })),
  "makeNetwork: los, loss": () => runEffect(makeNetwork(asOptions({ los: 1 })))
}

describe("an unknown option", () => {
  it.each(Object.entries(cases))("is rejected, and the error suggests the likely name: %s", async (name, call) => {
    const [option, meant] = name.replace(/^.*: /, "").split(", ")
    try {
      await call()
    } catch (error) {
      return assert.deepInclude(error as object, {
        _tag: "InvalidOption",
        option,
        message: `There is no option ${option}. Did you mean ${meant}?`
      })
    }
    assert.fail("was accepted")
  })
})
