/** What a caller may choose about an RCON session, and the defaults. */
import type { Encoding } from "@sourcewire/protocol"
import { ENCODINGS } from "@sourcewire/protocol/wire"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { InvalidOption } from "../client/Options.ts"
import { MAX_TIMEOUT_MS } from "../client/settings.ts"
import { DEFAULT_TIMEOUT_MS } from "../Limits.ts"
import {
  callable,
  demand,
  demandRandom,
  duration,
  flag,
  isObject,
  jitter,
  oneOf,
  optionsAre,
  checkedOptions,
  readable
} from "../edge.ts"
import type { TimeLimits } from "./deadline.ts"
import type { RconTrace } from "./trace.ts"

/** Which protocol a session speaks; see the table in `Rcon`. */
export type RconEngine = "goldsource" | "quake" | "source"

/**
 * How the end of a reply is found: `mirror` sends an empty reply packet after the command and waits until it comes back,
 * `mirror-command` does so with an empty command (for servers that answer nothing else), `quiet` waits for silence, `auto`
 * finds out which of them works.
 */
export type Terminator = "auto" | "mirror" | "mirror-command" | "quiet"

/** Every engine that may be asked for. */
export const ENGINES: ReadonlyArray<RconEngine | "auto"> = ["auto", "source", "goldsource", "quake"]

/** Every strategy to find the end of a Source reply. */
export const TERMINATORS: ReadonlyArray<Terminator> = ["auto", "mirror", "mirror-command", "quiet"]

/** How to reach a console, but for the password. */
export interface RconSettings {
  /** `auto`, the default, finds out. */
  readonly engine?: RconEngine | "auto" | undefined
  /**
   * How long the server may stay silent, in ms, before a command (or the log-in) fails with `Timeout`; 3000 unless given. A map change
   * keeps some servers busy for longer.
   */
  readonly timeoutMs?: number | undefined
  /**
   * How long a command may take altogether from when it is sent, in ms, whatever the server goes on to send, and how long the
   * log-in may with all its attempts; 30,000 unless told otherwise, or `timeoutMs` where that is longer.
   */
  readonly totalTimeoutMs?: number | undefined
  /** Text of commands and replies. `auto`, the default, sends UTF-8. */
  readonly encoding?: Encoding | undefined
  /** Source only: how the end of a reply is found. `auto` unless told otherwise. */
  readonly terminator?: Terminator | undefined
  /** Source only: whether a command that finds the connection lost makes a new one. `true` unless told otherwise. */
  readonly reconnect?: boolean | undefined
  /** Sees every packet, the password masked. */
  readonly trace?: RconTrace | undefined
  /** Source of jitter, in [0, 1). */
  readonly random?: (() => number) | undefined
}

/** How to reach a console. */
export interface RconOptions extends RconSettings {
  readonly password: Redacted.Redacted<string>
}

/** Time for a whole command unless told otherwise: the longest reply that is taken passes a slow line in it. */
export const DEFAULT_TOTAL_TIMEOUT_MS = 30_000

/** Longest that a command may take. */
const MAX_TOTAL_TIMEOUT_MS = 86_400_000

/** What may differ from one command to the next. */
const EXEC_OPTIONS = ["timeoutMs", "totalTimeoutMs"]

const OPTIONS = /* @__PURE__ */ Object.keys({
  password: true,
  engine: true,
  timeoutMs: true,
  totalTimeoutMs: true,
  encoding: true,
  terminator: true,
  reconnect: true,
  trace: true,
  random: true
} satisfies Readonly<Record<keyof RconOptions, true>>)

/** The limits of one command of a session that was opened with `session`. */
export const limitsOfCommand = (
  command: Pick<RconSettings, keyof TimeLimits> | undefined,
  session: RconSettings
): Result.Result<TimeLimits, InvalidOption> =>
  Result.flatMap(
    readable(() => checkedOptions(EXEC_OPTIONS, command)),
    (chosen) => resolveLimits(chosen, session)
  )

/** The error of a session without a password. */
export const noPassword = (message: string): InvalidOption => new InvalidOption({ message, option: "password" })

/** The first value that was chosen of each limit, else its default. */
const resolveLimits = (
  ...chosen: ReadonlyArray<Pick<RconSettings, keyof TimeLimits> | undefined>
): Result.Result<TimeLimits, InvalidOption> =>
  readable(() => {
    chosen.forEach(optionsAre)
    const first = (name: keyof TimeLimits) => chosen.find((one) => one?.[name] !== undefined)?.[name]
    const timeoutMs = duration("timeoutMs", MAX_TIMEOUT_MS, first("timeoutMs") ?? DEFAULT_TIMEOUT_MS)
    const totalTimeoutMs = first("totalTimeoutMs") ?? Math.max(DEFAULT_TOTAL_TIMEOUT_MS, timeoutMs)
    return { timeoutMs, totalTimeoutMs: duration("totalTimeoutMs", MAX_TOTAL_TIMEOUT_MS, totalTimeoutMs) }
  })

/** Fills in the defaults, and refuses what makes no sense, also from callers without types. */
export const resolveOptions = (options: RconOptions) =>
  readable(() => {
    const { encoding, engine, password, reconnect, terminator, trace, random } = demand(
      "options",
      "an object with a password",
      isObject,
      options
    )
    checkedOptions(OPTIONS, options)
    demandRandom(random)
    // The message does not show the value, which may be a secret.
    if (!Redacted.isRedacted(password) || typeof Redacted.value(password) !== "string") {
      throw noPassword("password must be a Redacted text. Wrap it with Redacted.make of effect/Redacted.")
    }
    return {
      ...Result.getOrThrow(resolveLimits(options)),
      password,
      engine: oneOf("engine", ENGINES, engine) ?? "auto",
      terminator: oneOf("terminator", TERMINATORS, terminator) ?? "auto",
      encoding: oneOf("encoding", ENCODINGS, encoding) ?? "auto",
      reconnect: flag("reconnect", reconnect) ?? true,
      trace: callable("trace", trace),
      random: jitter(random)
    }
  })

/** The options with every default filled in, and the password as it is sent. */
export type ResolvedOptions = Omit<Result.Result.Success<ReturnType<typeof resolveOptions>>, "password"> & {
  readonly password: Uint8Array
}
