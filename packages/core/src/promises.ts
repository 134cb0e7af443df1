/**
 * The exports of every transport's main entry, besides its verbs: the error classes, and the types of options and results. Each transport
 * contains its own copy (docs/adr/0013-promise-entries.md). Programs with promises must therefore import these names from the transport, so
 * that `instanceof` works.
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
