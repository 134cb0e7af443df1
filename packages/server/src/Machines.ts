/**
 * Parts of a server for packages that build other servers of them, as the emulator and the proxy do.
 *
 * @module
 */
export * from "./edge.ts"
export { isLoopback } from "./limits/loopback.ts"
export { compress } from "./query/Bzip2.ts"
export { NOTHING } from "./query/prepare.ts"
export { type Asked, asked, challengeOf, withChallenge } from "./query/request.ts"
export { GoldSourceConsole } from "./rcon/goldSourceConsole.ts"
export { LoginAttempts } from "./rcon/loginAttempts.ts"
export { SourceConnection } from "./rcon/sourceConnection.ts"
export { limitOptions, listening, manners, oversize, profileShape, transportShape } from "./shapes.ts"
