/**
 * The client side of Valve's game-server query protocols, without a runtime: machines, engine, client, and the seams that a
 * transport package fills.
 *
 * @module
 */
export * as Address from "./address/Address.ts"
export { Client } from "./client/Client.ts"
export type {
  AddressInput,
  Answer,
  ClientError,
  ClientShape,
  PingAnswer,
  PingOptions,
  Replies,
  ServerAnswer
} from "./client/Client.ts"
export { ConnectionSession, KNOWN_TYPES, MAX_REMEMBERED_MESSAGES } from "./handshake/ConnectionSession.ts"
export type { IncomingMessage, OutgoingMessage, SentMessage } from "./handshake/ConnectionSession.ts"
export * from "./engine/Datagrams.ts"
export { Engine } from "./engine/Engine.ts"
export { EngineSocket } from "./engine/EngineSocket.ts"
export type { EngineCounters, EngineOptions, OnDatagram } from "./engine/Engine.ts"
export * from "./engine/Exchange.ts"
export { CallbackRequest, InFlight } from "./engine/InFlight.ts"
export * as Handshake from "./client/Handshake.ts"
export { HandshakeExchange } from "./handshake/HandshakeExchange.ts"
export type { AuthProtocol, HandshakeAnswer } from "./handshake/HandshakeExchange.ts"
export * as IpRanges from "./address/IpRanges.ts"
export * as Limits from "./Limits.ts"
export * as LogEntry from "./log/LogEntry.ts"
export * as LogStream from "./log/LogStream.ts"
export { logsWith } from "./log/PromiseLogs.ts"
export type { PromiseLogOptions, PromiseLogReceiver } from "./log/PromiseLogs.ts"
export * as Master from "./master/Master.ts"
export * as MasterFilter from "./master/MasterFilter.ts"
export { MasterPageExchange } from "./master/MasterPageExchange.ts"
export type { EarlierPages, MasterAnswer } from "./master/MasterPageExchange.ts"
export { MasterPaging } from "./master/MasterPaging.ts"
export type { MasterPage, PagingEnd, PagingLimits } from "./master/MasterPaging.ts"
export * from "./client/Options.ts"
export { TokenBucket } from "./engine/TokenBucket.ts"
export { connectWith } from "./client/PromiseClient.ts"
export type { PromiseClient } from "./client/PromiseClient.ts"
export type { Abortable, Closable } from "./client/Running.ts"
export * as Running from "./client/Running.ts"
export { scanWith } from "./scan/PromiseScanner.ts"
export type { Scan } from "./scan/PromiseScanner.ts"
export { rconWith } from "./rcon/PromiseRcon.ts"
export type { PromiseRcon, PromiseRconOptions } from "./rcon/PromiseRcon.ts"
export * as Query from "./query/Query.ts"
export * from "./engine/QueryError.ts"
export { QueryExchange } from "./query/QueryExchange.ts"
export type { KeptChallenge } from "./query/challenges.ts"
export { ServerExchange } from "./query/ServerExchange.ts"
export type { ServerReplies } from "./query/ServerExchange.ts"
export * as Rcon from "./rcon/Rcon.ts"
export { RoundTrip } from "./engine/RoundTrip.ts"
export type { MeasuredRoundTrip } from "./engine/RoundTrip.ts"
export { Scanner } from "./scan/Scanner.ts"
export type { ScanError, ScannerShape, ScanTargets } from "./scan/Scanner.ts"
export type { ScanOptions } from "./scan/ScanOptions.ts"
export { ScanProgress } from "./scan/ScanProgress.ts"
export { Excluded, TargetsFailed } from "./scan/ScanResult.ts"
export type { Answered, Failed, ScanParts, ScanQuery, ScanResult } from "./scan/ScanResult.ts"
export * from "./engine/Streams.ts"
export * as SystemFault from "./engine/SystemFault.ts"
export * as Timing from "./engine/Timing.ts"
