/**
 * A table of what servers and networks do to a client, each row with what a right client makes of it. Behind
 * `@sourcewire/emulator/scenarios`: for testing a client, ours or another, on any runtime.
 *
 * @example
 * import { runScenario, scenarios } from "@sourcewire/emulator/scenarios"
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

export { runScenario } from "./scenarios/Scenario.ts"

/** Every row. Names are unique. */
export const scenarios: ReadonlyArray<Scenario> = [
  ...infoScenarios,
  ...listScenarios,
  ...splitScenarios,
  ...networkScenarios
]
