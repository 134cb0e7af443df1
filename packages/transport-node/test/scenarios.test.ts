import { assert, describe, it } from "@effect/vitest"
import { runScenario, scenarios } from "@sourcewire/emulator/scenarios"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"

describe("the client over real UDP, with its default settings", () => {
  it.concurrent.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, scenario) => {
    await using client = await connect()
    assert.isUndefined(await runScenario(scenario, client, layer))
  })

  it("is tested with scenarios whose names are unique", () => {
    assert.strictEqual(new Set(scenarios.map(({ name }) => name)).size, scenarios.length)
  })
})
