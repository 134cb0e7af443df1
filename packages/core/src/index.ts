/**
 * Asks game servers, without a runtime: the five verbs as Effects and streams, what they give, and what can go wrong. A transport
 * package brings the sockets, and the same verbs as promises.
 *
 * @module
 */
export { format as formatAddress, InvalidAddress, parse as parseAddress } from "./address/Address.ts"
export type { Address } from "./address/Address.ts"
export { Client, connect } from "./client/Client.ts"
export type { AddressInput, Answer, ClientError, PromiseClient, ServerAnswer } from "./client/ClientShape.ts"
export { InvalidOption } from "./client/Options.ts"
export type { ClientOptions, QueryOptions } from "./client/Options.ts"
export { logs } from "./log/LogStream.ts"
export type { LogEntry, LogOptions, LogReceiver } from "./log/LogStream.ts"
export type { PromiseLogReceiver } from "./log/PromiseLogs.ts"
export { servers as master } from "./master/observed.ts"
export type { MasterOptions } from "./master/Master.ts"
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
export { rulesRecord } from "./query/rulesRecord.ts"
export type { PromiseRcon } from "./rcon/PromiseRcon.ts"
export { connect as rcon } from "./rcon/observed.ts"
export type { Rcon, RconError, RconOptions } from "./rcon/Rcon.ts"
export type { Scan } from "./scan/PromiseScanner.ts"
export { scan } from "./scan/Scanner.ts"
export type { ScanOptions } from "./scan/ScanOptions.ts"
export { ScanProgress } from "./scan/ScanProgress.ts"
export type { ScanQuery, ScanResult } from "./scan/ScanResult.ts"
