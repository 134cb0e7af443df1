/**
 * The parts of servers that targets need, in one place.
 *
 * @module
 */
export { type Profile, ChallengeIssuer, current, Responder } from "@sourcewire/server"
export { profileNames, profiles } from "@sourcewire/emulator"
export { compress, GoldSourceConsole, LoginAttempts, SourceConnection } from "@sourcewire/server/machines"
