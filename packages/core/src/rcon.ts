/**
 * RCON's choices and defaults, and what a session shows and fails with. The session itself is the verb `rcon`.
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
export { concatBytes } from "./rcon/replyText.ts"
export type { RconTrace, RconTraceEvent } from "./rcon/trace.ts"
