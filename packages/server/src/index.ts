/**
 * The answering side of Valve's game-server queries, to embed in a game server: a responder, RCON, logs, the handshake and a
 * master server.
 *
 * @module
 */
export * from "./InvalidServer.ts"
export * from "./limits/RateLimit.ts"
export * as LogSender from "./log/LogSender.ts"
export * from "./master/MasterResponder.ts"
export * as MasterServer from "./master/MasterServer.ts"
export { startMaster } from "./master/MasterServer.ts"
export type { RunningMasterServer } from "./master/MasterServer.ts"
export * from "./query/Challenge.ts"
export * from "./query/HandshakeResponder.ts"
export * from "./query/Profile.ts"
export * from "./query/Responder.ts"
export { startRconServer } from "./rcon/PromiseRconServer.ts"
export type { PromiseRconServerOptions, RunningRconServer } from "./rcon/PromiseRconServer.ts"
export type { CommandHandler, CommandSource } from "./rcon/commandHandler.ts"
export * as RconServer from "./rcon/RconServer.ts"
