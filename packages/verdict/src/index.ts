/**
 * Finds and explains contradictions between facts about a game server. The caller provides the observations of the server.
 *
 * @module
 */
export {
  type Finding,
  type FindingKind,
  HANDSHAKE_KINDS,
  KINDS,
  STEAM_KINDS,
  type Strength,
  type Verdict
} from "./Finding.ts"
export { handshakeForm } from "./handshakeForm.ts"
export type * from "./Observation.ts"
export { SteamCounts } from "./SteamCounts.ts"
export { Survey } from "./Survey.ts"
