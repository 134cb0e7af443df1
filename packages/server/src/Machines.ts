/**
 * Parts of a server, for packages that build their own servers from them, like the emulator and the proxy.
 *
 * @module
 */
export { openAnswering, type Send, type SocketCounters } from "./answeringSocket.ts"
export { isLoopback } from "./limits/loopback.ts"
export type { RateLimitOptions } from "./limits/RateLimit.ts"
export { type HttpLogSender, type HttpLogSenderOptions, isLogUrl } from "./log/HttpLogSender.ts"
export { logDatagram, type LogFormat, logLine, type LogSender, type LogSenderOptions } from "./log/LogSender.ts"
export type { ListedServer } from "./master/listing.ts"
export { MasterResponder, type MasterResponderOptions } from "./master/MasterResponder.ts"
export type { MasterServer, MasterServerOptions, RunningMasterServer } from "./master/MasterServer.ts"
export { type MasterProfileName, masterProfileNames } from "./master/profileNames.ts"
export { compress } from "./query/Bzip2.ts"
export { ChallengeIssuer } from "./query/Challenge.ts"
export { HandshakeResponder, type HandshakeResponderOptions, inFront } from "./query/HandshakeResponder.ts"
export { type Compress, NOTHING } from "./query/prepare.ts"
export type {
  ChallengeBehaviour,
  ChallengeOptions,
  HandshakeBehaviour,
  Live,
  Oversize,
  RequestKind,
  TextAnswer
} from "./query/Profile.ts"
export { type QueryRequest, readRequest, readChallenge, withChallenge } from "./query/request.ts"
export { type Answering, challengeReply, type Intercept, type ResponderOptions } from "./query/Responder.ts"
export type { CommandHandler, CommandSource } from "./rcon/commandHandler.ts"
export {
  type ConsoleAnswer,
  type ConsoleOptions,
  GoldSourceConsole,
  type UdpDialect
} from "./rcon/goldSourceConsole.ts"
export { LoginAttempts, type LoginAttemptsOptions } from "./rcon/loginAttempts.ts"
export type { SegmentFault } from "./rcon/outbox.ts"
export type { GoldSourceRconServerOptions, PromiseRconServerOptions, RunningRconServer } from "./rcon/RconServer.ts"
export type { RconServer, SourceRconServerOptions } from "./rcon/serverOptions.ts"
export { type GoldSourceInterceptor, interceptGoldSource } from "./rcon/RconServer.ts"
export { SourceConnection, type SourceConnectionEvent, type SourceBehaviour } from "./rcon/sourceConnection.ts"
export {
  httpLogOptions,
  limitOptions,
  listening,
  local,
  uncheckedProfile,
  oversize,
  profileShape,
  responderOptions,
  transportShape
} from "./shapes.ts"
