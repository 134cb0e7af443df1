/**
 * The answering side of Valve's game-server queries: a responder to embed in a game server, and emulated servers to test
 * clients against.
 *
 * @module
 */
export * from "./Challenge.ts"
export * as EmulatedServer from "./EmulatedServer.ts"
export { startServer } from "./EmulatedServer.ts"
export type { RunningServer, ServerCounters, ServerError, ServerOptions } from "./EmulatedServer.ts"
export * from "./Faults.ts"
export * from "./FaultyResponder.ts"
export * from "./HandshakeResponder.ts"
export * from "./InvalidServer.ts"
export * as LogSender from "./LogSender.ts"
export * from "./MasterResponder.ts"
export * as MasterServer from "./MasterServer.ts"
export { startMaster } from "./MasterServer.ts"
export type { RunningMasterServer } from "./MasterServer.ts"
export * from "./Profile.ts"
export * as Proxy from "./Proxy.ts"
export { InvalidProxy, startProxy } from "./Proxy.ts"
export type { Part, ProxyEvent, ProxyServerOptions, ProxyStatus, RunningProxy, SavedUpstream } from "./Proxy.ts"
export * from "./RateLimit.ts"
export { startRconServer } from "./PromiseRconServer.ts"
export type { PromiseRconServerOptions, RunningRconServer } from "./PromiseRconServer.ts"
export * as RconServer from "./RconServer.ts"
export * from "./Responder.ts"
export * from "./profiles/index.ts"
export type { ProfileOptions } from "./profiles/options.ts"
