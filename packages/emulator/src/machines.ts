/**
 * Faults and profiles by their names, for programs that offer them in flags or lists.
 *
 * @module
 */
export type { Served, ServerCounters } from "./EmulatedServer.ts"
export { type FaultSwitch, faultSwitches, parseFaults } from "./Faults.ts"
export { isProfileName, profileNames } from "./profiles/index.ts"
export type { ProfileOptions } from "./profiles/options.ts"
