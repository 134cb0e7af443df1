/**
 * Runs the scenarios of servers and networks with a proxy between the client and the server. The faults of a scenario affect the queries
 * that the proxy sends. The client must get the same result as without a proxy, except in the scenarios of {@link timeoutsBehindProxy}.
 *
 * @module
 */
import { assert, describe, it } from "@effect/vitest"
import { runScenario, scenarios } from "@sourcewire/emulator/scenarios"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"
import { proxied } from "./proxied.ts"

/**
 * All scenarios in which a client without a proxy gets an error. With a proxy, only the proxy gets this error. The proxy then has no reply
 * to serve, and its clients time out. The values are the reasons for the timeouts.
 */
const timeoutsBehindProxy: Readonly<Record<string, string>> = {
  "challenges without end": "the proxy sends its own challenge, but has no reply to serve",
  "a wrong CRC32": "the proxy has no reply, because the reply is damaged",
  "a ban": "the proxy is banned, not the client"
}

const queryThroughProxy = async (ask: "info" | "players" | "rules", address: string) => {
  await using client = await connect()
  await using front = await proxied(address, [ask === "info" ? ask : "info", ask])
  return await client[ask](front.address)
}

type ScenarioClient = Parameters<typeof runScenario>[1]
const client: ScenarioClient = {
  info: (address) => queryThroughProxy("info", address) as ReturnType<ScenarioClient["info"]>,
  players: (address) => queryThroughProxy("players", address) as ReturnType<ScenarioClient["players"]>,
  rules: (address) => queryThroughProxy("rules", address) as ReturnType<ScenarioClient["rules"]>
}

describe("a client that queries a proxy (both with default settings)", () => {
  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const { expected } = scenario
    const isSilent = name in timeoutsBehindProxy
    assert.strictEqual("failsWith" in expected, isSilent)
    const behindProxy =
      "failsWith" in expected ? { ...scenario, expected: { ...expected, failsWith: "Timeout" } } : scenario
    assert.isUndefined(await runScenario(behindProxy, client, layer))
  })
})
