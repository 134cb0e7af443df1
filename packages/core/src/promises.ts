/**
 * What the main entry of every transport has beside its verbs: the errors, to be told apart by `instanceof` too, and the types of what
 * goes in and comes out. A transport brings copies of its own (docs/adr/0013-promise-entries.md), so programs that use the promises
 * take these names from the transport.
 *
 * @module
 */
export * from "./outcomes.ts"
export type { PromiseLogOptions as LogOptions } from "./log/PromiseLogs.ts"
export type { PromiseRconOptions as RconOptions } from "./rcon/PromiseRcon.ts"
export type { Abortable, Closable } from "./client/Running.ts"
export type { PlainTargets } from "./scan/ScanOptions.ts"
export type {
  ChallengeReply,
  Encoding,
  GoldSourceInfoReply,
  InfoReply,
  Player,
  PlayersReply,
  Rule,
  RulesReply
} from "@sourcewire/protocol"
