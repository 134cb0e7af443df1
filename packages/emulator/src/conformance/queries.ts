/** Tests the client over the transport: IPv4 and IPv6, closed ports, large replies, many sockets, many targets on one socket. */
import type { PromiseClient } from "@sourcewire/core"
import { CallbackRequest, Engine, RoundTrip, currentTiming } from "@sourcewire/core/engine"
import { Query, QueryExchange } from "@sourcewire/core/query"
import { connectWith, Datagrams, type Endpoint } from "@sourcewire/core/transport"
import { type InfoReply, type RulesReply, encode } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { startServer } from "../EmulatedServer.ts"
import { type Profile, current } from "@sourcewire/server"
import { profiles } from "../profiles/index.ts"
import { runScenario, scenarios } from "../Scenarios.ts"
import type { ConformanceCase, ConformanceSubject } from "./ConformanceCase.ts"
import { buildCases, CLOSED, expect, failure, scoped } from "./ConformanceCase.ts"

/** Creates the `run` of a case, with a client that has default settings. */
const withClient =
  (run: (client: PromiseClient, subject: ConformanceSubject) => Promise<void>) =>
  async (subject: ConformanceSubject): Promise<void> => {
    await using client = await connectWith(subject.transport)()
    await run(client, subject)
  }

const SETTINGS = { timeoutMs: 10_000, retries: 8, encoding: "auto", random: Math.random } as const

/** `WINDOW`: maximum number of targets in flight. `TARGETS`: total number of targets. */
const [WINDOW, TARGETS] = [500, 10_000]

/** Queries all targets over one socket, and counts the replies with the correct name. */
const queryTargets = Effect.gen(function* () {
  const { open } = yield* Datagrams
  const info = current(profiles.css().info as InfoReply)
  const targets: Array<Endpoint> = []
  for (let i = 0; i < TARGETS; i++) {
    const reply = Result.getOrThrow(encode({ ...info, name: `Server ${i}` }))
    // The targets use several loopback addresses. If all targets used one address, other programs might find no free port on this address.
    const bind = { address: `127.0.1.${1 + (i % 20)}`, port: 0 }
    const socket = yield* open(
      { family: 4, bind },
      { onDatagram: (_, address, port) => socket.send(reply, address, port), onFault: () => {} }
    )
    targets.push(socket.local)
  }
  const engine = new Engine({ timing: yield* currentTiming })
  const socket = engine.socket()
  socket.attach(yield* open({ family: 4, receiveBufferBytes: 4_000_000 }, socket))
  return yield* Effect.callback<number>((resume) => {
    let [next, done, right] = [0, 0, 0]
    const queryNext = (): void => {
      const i = next++
      const target = targets[i]
      if (target === undefined) return
      const exchange = new QueryExchange(Query.info, SETTINGS, new RoundTrip(), undefined)
      const onDone = (): void => {
        const { result } = exchange
        if (result !== undefined && Result.isSuccess(result) && result.success.name === `Server ${i}`) right++
        if (++done === TARGETS) resume(Effect.succeed(right))
        queryNext()
      }
      engine.submit(socket, new CallbackRequest(exchange, target.address, target.port, onDone))
    }
    for (let i = 0; i < WINDOW; i++) queryNext()
  })
})

/** All cases about queries: one case for each of the {@link scenarios}, and the cases of this module. */
export const queryCases: ReadonlyArray<ConformanceCase> = [
  ...scenarios.flatMap((scenario) => {
    const run = withClient(async (client, { transport }) => {
      const wrong = await runScenario(scenario, client, transport)
      expect(wrong === undefined, wrong ?? "")
    })
    return buildCases("scenarios", { [scenario.name]: run })
  }),
  ...buildCases("queries", {
    IPv6: withClient(async (client, { transport }) => {
      await using server = await startServer({ transport, host: "::1" })
      const { info, players, rules } = await client.query(`[::1]:${server.port}`)
      expect(info._tag === "InfoReply" && players !== undefined && rules !== undefined, "a reply is missing")
    }),
    "a name": withClient(async (client, { transport }) => {
      await using server = await startServer({ transport })
      expect((await client.info(`localhost:${server.port}`))._tag === "InfoReply", "no reply to INFO")
    }),
    "a closed port": withClient(async (client, { reportsClosedPorts }) => {
      const tag = await failure(client.info(CLOSED, { timeoutMs: 500 }))
      const right = reportsClosedPorts ? "PortClosed" : "Timeout"
      expect(tag === right, `fails with ${String(tag)}, not ${right}`)
    }),
    "a reply of 60 kB in one datagram": withClient(async (client, { transport }) => {
      const rules: RulesReply = {
        ...current(profiles.css().rules as RulesReply),
        rules: Array.from({ length: 1000 }, (_, i) => ({ name: `rule_${i}`, value: "v".repeat(50) }))
      }
      const profile: Profile = { ...profiles.css(), rules, oversize: { how: "whole", maxBytes: 65_507 } }
      await using server = await startServer({ transport, profile })
      const reply = await client.rules(`127.0.0.1:${server.port}`)
      expect(reply.rules.length === 1000, `has ${reply.rules.length} rules`)
    })
  }),
  ...buildCases(
    "queries",
    {
      "300 servers at once, by one client": withClient(async (client, { transport }) => {
        const servers = await Promise.all(Array.from({ length: 300 }, () => startServer({ transport })))
        const infos = await Promise.all(servers.map(({ port }) => client.info(`127.0.0.1:${port}`)))
        for (const server of servers) await server.close()
        expect(
          infos.every((info, i) => "port" in info && info.port === servers[i]!.port),
          "replies were mixed up"
        )
      }),
      "10 000 targets on one socket": scoped(function* () {
        const right = yield* queryTargets
        expect(right === TARGETS, `only ${right} of ${TARGETS} replies were correct`)
      })
    },
    true
  )
]
