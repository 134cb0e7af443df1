/** What the verbs give and what can go wrong, the same for Effects and for promises. */
export { InvalidAddress, type Address } from "./address/Address.ts"
export type { AddressInput, Answer, ClientError, PromiseClient, ServerAnswer } from "./client/ClientShape.ts"
export { InvalidOption, type ClientOptions, type QueryOptions } from "./client/Options.ts"
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
export type { PromiseLogReceiver } from "./log/PromiseLogs.ts"
export type { MasterOptions } from "./master/Master.ts"
export { rulesRecord } from "./query/rulesRecord.ts"
export type { PromiseRcon } from "./rcon/PromiseRcon.ts"
export type { RconError } from "./rcon/session.ts"
export type { Scan } from "./scan/PromiseScanner.ts"
export type { ScanOptions } from "./scan/ScanOptions.ts"
export { ScanProgress } from "./scan/ScanProgress.ts"
export type { ScanQuery, ScanResult } from "./scan/ScanResult.ts"
