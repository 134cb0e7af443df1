/**
 * Emulated game servers to test clients against: profiles of real ones, and faults on request.
 *
 * @module
 */
export { emulatedConsole } from "./console/emulatedConsole.ts"
export { makeServer, type RunningServer, type ServerOptions, startServer } from "./EmulatedServer.ts"
export type { Faults } from "./Faults.ts"
export { type ProfileName, profileNames, profiles } from "./profiles/index.ts"
