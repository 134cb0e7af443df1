/**
 * The client side of Valve's game-server query protocols, without a runtime: machines, engine, client, and the seams that a
 * transport package fills.
 *
 * @module
 */
export * as Address from "./Address.ts"
export { Client } from "./Client.ts"
export type {
  AddressInput,
  Answer,
  ClientError,
  ClientShape,
  PingAnswer,
  PingOptions,
  Replies,
  ServerAnswer
} from "./Client.ts"
export { ConnectionSession, KNOWN_TYPES, MAX_REMEMBERED_MESSAGES } from "./ConnectionSession.ts"
export type { IncomingMessage, OutgoingMessage, SentMessage } from "./ConnectionSession.ts"
export * from "./Datagrams.ts"
export { Engine, EngineSocket } from "./Engine.ts"
export type { EngineCounters, EngineOptions, Flight, OnDatagram } from "./Engine.ts"
export * from "./Exchange.ts"
export * as Handshake from "./Handshake.ts"
export { HandshakeExchange } from "./HandshakeExchange.ts"
export type { AuthProtocol, HandshakeAnswer } from "./HandshakeExchange.ts"
export * as IpRanges from "./IpRanges.ts"
export * as Limits from "./Limits.ts"
export * as LogEntry from "./LogEntry.ts"
export * as LogStream from "./LogStream.ts"
export * as Master from "./Master.ts"
export * as MasterFilter from "./MasterFilter.ts"
export { MasterPageExchange } from "./MasterPageExchange.ts"
export type { EarlierPages, MasterAnswer } from "./MasterPageExchange.ts"
export { MasterPaging } from "./MasterPaging.ts"
export type { MasterPage, PagingEnd, PagingLimits } from "./MasterPaging.ts"
export * from "./Options.ts"
export { TokenBucket } from "./Pacer.ts"
export type { Pacer } from "./Pacer.ts"
export { connectWith } from "./PromiseClient.ts"
export type { Abortable, PromiseClient } from "./PromiseClient.ts"
export { scanWith } from "./PromiseScanner.ts"
export type { Scan } from "./PromiseScanner.ts"
export { connectRconWith } from "./PromiseRcon.ts"
export type { PromiseRcon, PromiseRconOptions } from "./PromiseRcon.ts"
export * as Query from "./Query.ts"
export * from "./QueryError.ts"
export { QueryExchange } from "./QueryExchange.ts"
export type { ExchangeSettings, KeptChallenge } from "./QueryExchange.ts"
export * as Rcon from "./Rcon.ts"
export { RoundTrip } from "./RoundTrip.ts"
export type { MeasuredRoundTrip } from "./RoundTrip.ts"
export { Scanner } from "./Scanner.ts"
export type { ScanError, ScannerShape, ScanTargets } from "./Scanner.ts"
export type { ScanOptions } from "./ScanOptions.ts"
export { ScanProgress } from "./ScanProgress.ts"
export { Excluded, TargetsFailed } from "./ScanResult.ts"
export type { Answered, Failed, ScanParts, ScanQuery, ScanResult } from "./ScanResult.ts"
export * from "./Streams.ts"
export * as SystemFault from "./SystemFault.ts"
export * as Timing from "./Timing.ts"
