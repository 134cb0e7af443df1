/**
 * The scenarios of servers and networks with a proxy in between: the faults affect the proxy's queries, and the client still gets the
 * correct results. Rows with other results are listed with their reasons.
 *
 * @module
 */
import { assert, describe, it } from "@effect/vitest"
import { runScenario, scenarios } from "@sourcewire/emulator/scenarios"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"
import { proxied } from "./proxied.ts"

/**
 * Rows in which a client gets an error from the game server. Behind a proxy, only the proxy gets the error: it has no reply to serve, and
 * its clients time out.
 */
const silentAtTheProxy: Readonly<Record<string, string>> = {
  "challenges without end": "the proxy has a challenge of its own, and behind it nothing to give",
  "a wrong CRC32": "a damaged answer is none",
  "a ban": "it is the proxy that is banned, not the one who asks"
}

/** Runs a query through a proxy that is closed afterwards. */
const throughProxy = async (ask: "info" | "players" | "rules", address: string) => {
  await using client = await connect()
  await using front = await proxied(address, [ask === "info" ? ask : "info", ask])
  return await client[ask](front.address)
}

type ScenarioClient = Parameters<typeof runScenario>[1]
const client: ScenarioClient = {
  info: (address) => throughProxy("info", address) as ReturnType<ScenarioClient["info"]>,
  players: (address) => throughProxy("players", address) as ReturnType<ScenarioClient["players"]>,
  rules: (address) => throughProxy("rules", address) as ReturnType<ScenarioClient["rules"]>
}

describe("the client through a proxy, both with their default settings", () => {
  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (name, scenario) => {
    const { expected } = scenario
    const isSilent = name in silentAtTheProxy
    assert.strictEqual("failsWith" in expected, isSilent)
    const atTheProxy =
      "failsWith" in expected ? { ...scenario, expected: { ...expected, failsWith: "Timeout" } } : scenario
    assert.isUndefined(await runScenario(atTheProxy, client, layer))
  })
})
