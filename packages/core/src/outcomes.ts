/** The errors and types that are the same in the Effect API and in the Promise API. The types describe options and results. */
export { InvalidAddress, type Address } from "./address/Address.ts"
export type {
  AddressInput,
  Answer,
  ClientError,
  ClientMethods,
  HandshakeOptions,
  PingAnswer,
  PingOptions,
  PromiseClient,
  Replies,
  ServerAnswer,
  Traffic
} from "./client/ClientShape.ts"
export type { CallOptions, Outcome, Parts, Promises, Style } from "./client/Style.ts"
export { InvalidOption, type ClientOptions, type QueryOptions, type ServerQueryOptions } from "./client/Options.ts"
export {
  AuthenticationFailed,
  ConnectionClosed,
  PortClosed,
  Refused,
  SendFailed,
  Timeout,
  TooManyChallenges,
  UnexpectedReply,
  Unresolved
} from "./engine/QueryError.ts"
export type { AboutMachine, AboutTarget, QueryError } from "./engine/QueryError.ts"
export type { Pong } from "./query/Query.ts"
export type { LogEntry } from "./log/LogStream.ts"
export type { PromiseLogReceiver } from "./log/PromiseLogs.ts"
export type { MasterOptions } from "./master/Master.ts"
export { rulesRecord } from "./query/rulesRecord.ts"
export type { PromiseRcon } from "./rcon/PromiseRcon.ts"
export type { RconError } from "./rcon/session.ts"
export type { Scan } from "./scan/PromiseScanner.ts"
export type { ScanOptions } from "./scan/ScanOptions.ts"
export { ScanProgress } from "./scan/ScanProgress.ts"
export { ScanBudget } from "./scan/ScanBudget.ts"
export {
  Excluded,
  TargetsFailed,
  type Answered,
  type Failed,
  type ScanQuery,
  type ScanResult
} from "./scan/ScanResult.ts"
export type { EngineCounters, OnDatagram } from "./engine/traffic.ts"
export type { HandshakeAnswer } from "./handshake/HandshakeExchange.ts"
export type { RconEngine, RconSettings } from "./rcon/options.ts"
export type { RconExecOptions, RconMethods } from "./rcon/Rcon.ts"
export type { RconTrace, RconTraceEvent } from "./rcon/trace.ts"
export type { ServerPart } from "./query/ServerExchange.ts"
