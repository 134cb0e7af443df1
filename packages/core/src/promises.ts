/**
 * What the main entry of every transport has beside its verbs: the errors, to be told apart by `instanceof` too, and the types of what
 * goes in and comes out. A transport brings copies of its own (docs/adr/0013-promise-entries.md), so programs that use the promises
 * take these names from the transport.
 *
 * @module
 */
export { InvalidAddress } from "./address/Address.ts"
export type { Address } from "./address/Address.ts"
export type { AddressInput, Answer, ClientError, PromiseClient, ServerAnswer } from "./client/ClientShape.ts"
export { InvalidOption } from "./client/Options.ts"
export type { ClientOptions, QueryOptions } from "./client/Options.ts"
export {
  AuthenticationFailed,
  ConnectionClosed,
  PortClosed,
  Refused,
  SendFailed,
  Timeout,
  Unresolved
} from "./engine/QueryError.ts"
export type { QueryError } from "./engine/QueryError.ts"
export type { LogEntry } from "./log/LogStream.ts"
export type { PromiseLogOptions as LogOptions, PromiseLogReceiver } from "./log/PromiseLogs.ts"
export type { MasterOptions } from "./master/Master.ts"
export { rulesRecord } from "./query/rulesRecord.ts"
export type { PromiseRcon, PromiseRconOptions as RconOptions } from "./rcon/PromiseRcon.ts"
export type { RconError } from "./rcon/Rcon.ts"
export type { Scan } from "./scan/PromiseScanner.ts"
export type { ScanOptions } from "./scan/ScanOptions.ts"
export { ScanProgress } from "./scan/ScanProgress.ts"
export type { ScanQuery, ScanResult } from "./scan/ScanResult.ts"
export type { GoldSourceInfoReply, InfoReply, Player, PlayersReply, Rule, RulesReply } from "@sourcewire/protocol"
