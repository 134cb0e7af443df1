/**
 * Emulated game servers to test clients against: profiles of real ones, and faults on request.
 *
 * @module
 */
export { emulatedConsole } from "./console/emulatedConsole.ts"
export {
  type EmulatedServer,
  makeServer,
  type RunningServer,
  type ServerCounters,
  type ServerOptions,
  startServer
} from "./EmulatedServer.ts"
export { type Faults, type FaultSwitch, faultSwitches, parseFaults } from "./Faults.ts"
export { isProfileName, type ProfileName, profileNames, profiles } from "./profiles/index.ts"
export type { ProfileOptions } from "./profiles/options.ts"
