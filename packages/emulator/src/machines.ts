/**
 * Faults and profiles by name, for programs that list them or accept them in flags.
 *
 * @module
 */
export { type HttpLogs, makeHttpLogs } from "./console/httpLogs.ts"
export type { Served, ServerCounters, ServerOptions } from "./EmulatedServer.ts"
export { type FaultSwitch, faultSwitches, InvalidFault, parseFaults } from "./Faults.ts"
export { isProfileName, type ProfileName, profileNames } from "./profiles/index.ts"
export type { ProfileOptions } from "./profiles/options.ts"
export {
  FAKE_KINDS,
  type FakeKind,
  HONEST_KINDS,
  type HonestKind,
  type ListedServer,
  ServerList,
  type ServerListOptions,
  type SteamEntry
} from "./ServerList.ts"
