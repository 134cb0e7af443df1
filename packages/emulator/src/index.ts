/**
 * Emulated game servers to test clients against: profiles of real ones, and faults on request.
 *
 * @module
 */
export { emulatedConsole } from "./console/emulatedConsole.ts"
export * as EmulatedServer from "./EmulatedServer.ts"
export { startServer } from "./EmulatedServer.ts"
export type { RunningServer, ServerCounters, ServerError, ServerOptions } from "./EmulatedServer.ts"
export * from "./Faults.ts"
export * from "./profiles/index.ts"
export type { ProfileOptions } from "./profiles/options.ts"
