/**
 * Emulated game servers to test clients: profiles of real servers, and faults on request.
 *
 * @module
 */
export { emulatedConsole } from "./console/emulatedConsole.ts"
export { makeServer, type RunningServer, startServer } from "./EmulatedServer.ts"
export type { Faults } from "./Faults.ts"
export { profiles } from "./profiles/index.ts"
