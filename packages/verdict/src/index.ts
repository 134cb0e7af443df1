/**
 * Which facts about a game server contradict each other: findings with reasons, from observations that somebody else made.
 *
 * @module
 */
export { type Finding, type FindingKind, HANDSHAKE_KINDS, KINDS, type Strength, type Verdict } from "./Finding.ts"
export { handshakeForm } from "./handshakeForm.ts"
export type * from "./Observation.ts"
export { Survey } from "./Survey.ts"
