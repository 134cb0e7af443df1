/**
 * Emulated game servers to test clients against: profiles of real ones, and faults on request.
 *
 * @module
 */
export { emulatedConsole } from "./console/emulatedConsole.ts"
export { makeServer, type RunningServer, startServer } from "./EmulatedServer.ts"
export type { Faults } from "./Faults.ts"
export { profiles } from "./profiles/index.ts"
