/**
 * The parts of the server package that targets need and that it does not export, in one place.
 *
 * @module
 */
export * as Bzip2 from "../../../packages/server/src/Bzip2.ts"
export { ChallengeIssuer, profileNames, profiles, Responder } from "@sourcewire/server"
export type { Profile } from "@sourcewire/server"
export { current } from "../../../packages/server/src/Profile.ts"
export { GoldSourceConsole } from "../../../packages/server/src/rcon/goldSourceConsole.ts"
export { LoginAttempts } from "../../../packages/server/src/rcon/loginAttempts.ts"
export { SourceConnection } from "../../../packages/server/src/rcon/sourceConnection.ts"
