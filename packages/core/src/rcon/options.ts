/**
 * What a caller may choose about an RCON session, and the defaults.
 *
 * @module
 */
import type { Encoding } from "@sourcewire/protocol"
import type * as Redacted from "effect/Redacted"
import type { Terminator } from "./sourceMachine.ts"
import type { RconTrace } from "./trace.ts"

/** Which protocol a session speaks; see the table in `Rcon`. */
export type RconEngine = "goldsource" | "quake" | "source"

/** How to reach a console. */
export interface RconOptions {
  readonly password: Redacted.Redacted<string>
  /** `auto`, the default, finds out. */
  readonly engine?: RconEngine | "auto"
  /**
   * How long the server may stay silent, in ms, before a command (or the log-in) fails with `Timeout`;
   * {@link DEFAULT_TIMEOUT_MS} unless told otherwise.
   */
  readonly timeoutMs?: number
  /** Text of commands and replies. `auto`, the default, sends UTF-8. */
  readonly encoding?: Encoding
  /** Source only: how the end of a reply is found. `auto` unless told otherwise. */
  readonly terminator?: Terminator
  /** Source only: whether a command that finds the connection lost makes a new one. `true` unless told otherwise. */
  readonly reconnect?: boolean
  /** Sees every packet, the password masked. */
  readonly trace?: RconTrace
  /** Source of jitter, in [0, 1). */
  readonly random?: () => number
}

/** Silence allowed unless told otherwise: servers answer within a frame, but a map change keeps them busy for seconds. */
export const DEFAULT_TIMEOUT_MS = 5000

/** The options with every default filled in. */
export interface ResolvedOptions extends Required<Omit<RconOptions, "engine" | "trace">> {
  readonly engine: RconEngine | "auto"
  readonly trace: RconTrace | undefined
}

/** Fills in the defaults. */
export const resolveOptions = (options: RconOptions): ResolvedOptions => ({
  password: options.password,
  engine: options.engine ?? "auto",
  timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  encoding: options.encoding ?? "auto",
  terminator: options.terminator ?? "auto",
  reconnect: options.reconnect ?? true,
  trace: options.trace,
  random: options.random ?? Math.random
})
