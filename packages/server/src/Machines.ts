/**
 * Parts of a server for packages that build other servers of them, as the emulator and the proxy do.
 *
 * @module
 */
export { openAnswering, type Send, type SocketCounters } from "./answeringSocket.ts"
export * from "./edge.ts"
export { isLoopback } from "./limits/loopback.ts"
export type { RateLimitOptions } from "./limits/RateLimit.ts"
export { logDatagram, logLine, type LogSenderOptions } from "./log/LogSender.ts"
export type { ListedServer } from "./master/listing.ts"
export { type MasterProfileName, masterProfileNames, MasterResponder } from "./master/MasterResponder.ts"
export { compress } from "./query/Bzip2.ts"
export { ChallengeIssuer } from "./query/Challenge.ts"
export { HandshakeResponder, inFront } from "./query/HandshakeResponder.ts"
export { type Compress, NOTHING } from "./query/prepare.ts"
export type { Oversize, TextAnswer } from "./query/Profile.ts"
export { type Asked, asked, challengeOf, withChallenge } from "./query/request.ts"
export { type Answering, challengeReply, type Intercept, type ResponderOptions } from "./query/Responder.ts"
export type { CommandHandler, CommandSource } from "./rcon/commandHandler.ts"
export { GoldSourceConsole } from "./rcon/goldSourceConsole.ts"
export { LoginAttempts, type LoginAttemptsOptions } from "./rcon/loginAttempts.ts"
export type { SegmentFault } from "./rcon/outbox.ts"
export type { GoldSourceRconServerOptions, SourceRconServerOptions } from "./rcon/RconServer.ts"
export type { PromiseRconServerOptions, RconServer, RunningRconServer } from "./rcon/RconServer.ts"
export { interceptGoldSource } from "./rcon/RconServer.ts"
export { SourceConnection, type SourceManners } from "./rcon/sourceConnection.ts"
export { limitOptions, listening, local, manners, oversize, profileShape, transportShape } from "./shapes.ts"
