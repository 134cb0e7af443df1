/**
 * The answering side of Valve's game-server queries, to embed in a game server: a responder, RCON, logs, the handshake and a
 * master server.
 *
 * @module
 */
export { InvalidServer } from "./InvalidServer.ts"
export { RateLimiter } from "./limits/RateLimit.ts"
export { makeLogSender } from "./log/LogSender.ts"
export type { ListedServer } from "./master/MasterResponder.ts"
export { makeMaster, startMaster } from "./master/MasterServer.ts"
export { HandshakeResponder, inFront } from "./query/HandshakeResponder.ts"
export { current, type Profile } from "./query/Profile.ts"
export { checkProfile, Responder, type ResponderOptions } from "./query/Responder.ts"
export { startRconServer } from "./rcon/PromiseRconServer.ts"
export { type CommandHandler, interceptGoldSource, makeGoldSourceRcon, makeSourceRcon } from "./rcon/RconServer.ts"
