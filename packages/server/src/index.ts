/**
 * The server side of Valve's game-server queries, to embed in a game server: a responder, RCON, logs, the handshake and a master server.
 *
 * @module
 */
export { InvalidOption } from "@sourcewire/core"
export { RateLimiter } from "./limits/RateLimit.ts"
export { makeHttpLogSender } from "./log/HttpLogSender.ts"
export { makeLogSender } from "./log/LogSender.ts"
export { makeMaster, startMaster } from "./master/MasterServer.ts"
export { current, type Profile } from "./query/Profile.ts"
export { checkProfile, Responder } from "./query/Responder.ts"
export { makeGoldSourceRcon, startRconServer } from "./rcon/RconServer.ts"
export { makeSourceRcon } from "./rcon/serveSource.ts"
