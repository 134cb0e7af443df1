/**
 * A table of test cases for clients. Each case describes the behaviour of a server or network, and the result that a correct client
 * returns. The import path is `@sourcewire/emulator/scenarios`. You can use the table to test any client on any runtime.
 *
 * @example
 * import { type Expectation, runScenario, scenarios } from "@sourcewire/emulator/scenarios"
 * import { connect } from "@sourcewire/transport-node"
 * import { layer } from "@sourcewire/transport-node/effect"
 * await using client = await connect()
 * for (const scenario of scenarios.slice(0, 3)) {
 *   console.log(scenario.name, (await runScenario(scenario, client, layer)) ?? "right")
 * }
 *
 * @module
 */
import { infoScenarios } from "./scenarios/info.ts"
import { listScenarios } from "./scenarios/lists.ts"
import { networkScenarios } from "./scenarios/network.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { splitScenarios } from "./scenarios/splits.ts"

export { type Expectation, runScenario, type Scenario, type ScenarioClient } from "./scenarios/Scenario.ts"

/** All test cases. No two cases have the same name. */
export const scenarios: ReadonlyArray<Scenario> = [
  ...infoScenarios,
  ...listScenarios,
  ...splitScenarios,
  ...networkScenarios
]
