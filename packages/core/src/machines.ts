/**
 * The parts behind the verbs, for whoever brings a loop of his own: exchanges (bytes and `now` in, what to send out), the engine that
 * runs them over sockets, retransmission, limits, ranges of addresses, log lines, filters of master servers.
 *
 * @example
 * import { Query, QueryExchange } from "@sourcewire/core/machines"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const exchange = new QueryExchange(Query.players, settings)
 * exchange.start(0)
 * exchange.receive(Uint8Array.of(255, 255, 255, 255, 0x41, 1, 2, 3, 4), 20)
 * console.log(exchange.packet) // the request again, with the challenge
 *
 * @example
 * import { CallbackRequest, currentTiming, Engine, Query, QueryExchange } from "@sourcewire/core/machines"
 * import { Datagrams } from "@sourcewire/core/transport"
 * import { layer } from "@sourcewire/transport-node/effect"
 * import * as Effect from "effect/Effect"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const ask = Effect.gen(function* () {
 *   const { open } = yield* Datagrams
 *   const engine = new Engine({ timing: yield* currentTiming })
 *   const socket = engine.socket()
 *   socket.attach(yield* open({ family: 4 }, socket))
 *   const exchange = new QueryExchange(Query.info, settings)
 *   yield* Effect.callback<void>((resume) => {
 *     engine.submit(socket, new CallbackRequest(exchange, "127.0.0.1", 27015, () => resume(Effect.void)))
 *   })
 *   return exchange.result
 * })
 * console.log(await Effect.runPromise(Effect.scoped(ask).pipe(Effect.provide(layer))))
 *
 * @module
 */
export { DEFAULT_PORT, from as addressOf } from "./address/Address.ts"
export { canonicalAddress } from "./address/ipv6.ts"
export * as IpRanges from "./address/IpRanges.ts"
export type { ClientShape, HandshakeOptions, PingAnswer, PingOptions, Replies } from "./client/ClientShape.ts"
export { settingsOf } from "./client/settings.ts"
export { start as startRunning, type Abortable, type Closable } from "./client/Running.ts"
export { CallbackRequest } from "./engine/CallbackRequest.ts"
export { Engine, type EngineOptions, EngineSocket, InFlight, live as liveTiming } from "./engine/Engine.ts"
export * from "./engine/Exchange.ts"
export { lookUp } from "./engine/lookup.ts"
export { RepeatedQuestion, RoundTrip } from "./engine/retransmission.ts"
export type { ResolvedAddress } from "./engine/Datagrams.ts"
export type { ConnectOptions, ListenOptions, StreamFault, StreamListener } from "./engine/Streams.ts"
export { timing as currentTiming, type Timing } from "./engine/Timing.ts"
export type { EngineCounters, OnDatagram } from "./engine/traffic.ts"
export { TokenBucket } from "./scan/TokenBucket.ts"
export { ConnectionSession, KNOWN_TYPES, MAX_REMEMBERED_MESSAGES } from "./handshake/ConnectionSession.ts"
export type { IncomingMessage, OutgoingMessage, SentMessage } from "./handshake/ConnectionSession.ts"
export { HandshakeExchange, type AuthProtocol, type HandshakeAnswer } from "./handshake/HandshakeExchange.ts"
export * as Limits from "./Limits.ts"
export * as LogEntry from "./log/LogEntry.ts"
export { MAX_LOG_DATAGRAM_BYTES, MAX_WAITING_ENTRIES, type LogCounters, type LogError } from "./log/LogStream.ts"
export type { PromiseLogOptions } from "./log/PromiseLogs.ts"
export {
  DEFAULT_MASTER_PORT,
  DEFAULT_MAX_PAGES,
  DEFAULT_MAX_SERVERS,
  DEFAULT_PAGE_INTERVAL_MS,
  NoMaster,
  REGIONS
} from "./master/Master.ts"
export { pages as masterPages } from "./master/observed.ts"
export type { MasterError, Region } from "./master/Master.ts"
export { InvalidFilter } from "./master/MasterFilter.ts"
export * as MasterFilter from "./master/MasterFilter.ts"
export { MasterPageExchange, type EarlierPages, type MasterAnswer } from "./master/MasterPageExchange.ts"
export { MasterPaging, type MasterPage, type PagingEnd, type PagingLimits } from "./master/MasterPaging.ts"
export * as Query from "./query/Query.ts"
export { TooManyChallenges, UnexpectedReply, type AboutTarget, type TimeoutPhase } from "./engine/QueryError.ts"
export { type KeptChallenge, QueryExchange } from "./query/QueryExchange.ts"
export { ServerExchange, type ServerQuery, type ServerReplies, type ServerReply } from "./query/ServerExchange.ts"
export {
  DEFAULT_TOTAL_TIMEOUT_MS as RCON_TOTAL_TIMEOUT_MS,
  ENGINES as RCON_ENGINES,
  TERMINATORS as RCON_TERMINATORS
} from "./rcon/options.ts"
export type { RconEngine } from "./rcon/options.ts"
export type { PromiseRconOptions } from "./rcon/PromiseRcon.ts"
export type { RconConnectError, RconExecOptions } from "./rcon/Rcon.ts"
export { concatBytes } from "./rcon/replyText.ts"
export type { Terminator } from "./rcon/sourceMachine.ts"
export type { RconTrace, RconTraceEvent } from "./rcon/trace.ts"
export { ScanBudget } from "./scan/ScanBudget.ts"
export { scanBatches } from "./scan/Scanner.ts"
export type { PlainTargets } from "./scan/ScanOptions.ts"
export { atHand, type Steps } from "./scan/targetSource.ts"
export type { ScanError, ScanTargets } from "./scan/Scanner.ts"
export { Excluded, TargetsFailed, type Answered, type Failed, type ScanParts } from "./scan/ScanResult.ts"
export { NetworkPath, type Passage, type PathFaults } from "./testing/NetworkPath.ts"
export { demand, holdsOf, isText, shown } from "./edge.ts"
