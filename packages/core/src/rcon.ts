/**
 * Options and defaults of RCON sessions, and the types of their events and errors. The function `rcon` opens a session.
 *
 * @module
 */
export {
  DEFAULT_TOTAL_TIMEOUT_MS as RCON_TOTAL_TIMEOUT_MS,
  ENGINES as RCON_ENGINES,
  type RconEngine,
  type Terminator,
  TERMINATORS as RCON_TERMINATORS
} from "./rcon/options.ts"
export type { PromiseRconOptions } from "./rcon/PromiseRcon.ts"
export type { RconConnectError, RconExecOptions } from "./rcon/Rcon.ts"
export type { RconTrace, RconTraceEvent } from "./rcon/trace.ts"
