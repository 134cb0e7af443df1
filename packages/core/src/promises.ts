/**
 * The error classes, and the types of options and results, of the Promise API. The main entry of every transport exports these classes and
 * types, and the functions of the transport. Each transport contains its own copy of the error classes (docs/adr/0013-promise-entries.md).
 * Therefore a program that uses promises must import the error classes from its transport. If the classes are from another package,
 * `instanceof` returns `false`.
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
