/** The options of RCON sessions, and their defaults. */
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

/** The protocol of a session: `source` over TCP, or `goldsource` or `quake` over UDP. */
export type RconEngine = "goldsource" | "quake" | "source"

/**
 * How the session finds the end of a reply:
 *
 * - `mirror`: the session sends an empty reply packet after the command, and waits until the server returns this packet.
 * - `mirror-command`: like `mirror`, but with an empty command instead of the empty reply packet. Some servers reply only to commands.
 * - `quiet`: the reply ends if no further part arrives for a quiet period.
 * - `auto`: the session tries `mirror`. If the server does not return the empty packet, the session uses `quiet`.
 */
export type Terminator = "auto" | "mirror" | "mirror-command" | "quiet"

export const ENGINES: ReadonlyArray<RconEngine | "auto"> = ["auto", "source", "goldsource", "quake"]

export const TERMINATORS: ReadonlyArray<Terminator> = ["auto", "mirror", "mirror-command", "quiet"]

/** Options of a session, without the password. */
export interface RconSettings {
  /** Protocol of the server; `auto` detects the protocol (default: `auto`). */
  readonly engine?: RconEngine | "auto" | undefined
  /**
   * Maximum time without a reply, in ms, before a command or the log-in fails with `Timeout` (default: 3000). During a map change, some
   * servers stop replying for longer than the default.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Maximum total time of a command, in ms. The default is 30,000, or `timeoutMs` if `timeoutMs` is above 30,000. This limit also applies
   * while the server continues to send parts of the reply. The same limit applies to connecting and the log-in together. If `engine` is
   * `auto`, this limit applies to the attempts with all protocols together.
   */
  readonly totalTimeoutMs?: number | undefined
  /**
   * Encoding of commands and replies (default: `auto`). With `auto`, commands are sent as UTF-8, and the encoding of replies is detected.
   */
  readonly encoding?: Encoding | undefined
  /** Source only: how the end of a reply is found (default: `auto`). */
  readonly terminator?: Terminator | undefined
  /** Source only: whether a command opens a new connection if the last connection was lost (default: `true`). */
  readonly reconnect?: boolean | undefined
  /** Called for every packet that the session sends or receives. The password is masked in the packet. */
  readonly trace?: RconTrace | undefined
  /**
   * Returns random numbers in [0, 1). A Source session uses them to vary the pauses between attempts to reconnect (default: `Math.random`).
   */
  readonly random?: (() => number) | undefined
}

/** Options of a session. */
export interface RconOptions extends RconSettings {
  readonly password: Redacted.Redacted<string>
}

/** Default total time of a command, in ms. This time suffices for the longest accepted reply, even over a slow connection. */
export const DEFAULT_TOTAL_TIMEOUT_MS = 30_000

/** Maximum total time of a command, in ms. */
const MAX_TOTAL_TIMEOUT_MS = 86_400_000

/** The names of the options of a single command. */
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

/** Returns the time limits of a command. If a limit is absent in `command`, the limit in `session` is used. */
export const commandLimits = (
  command: Pick<RconSettings, keyof TimeLimits> | undefined,
  session: RconSettings
): Result.Result<TimeLimits, InvalidOption> =>
  Result.flatMap(
    readable(() => checkedOptions(EXEC_OPTIONS, command)),
    (chosen) => resolveLimits(chosen, session)
  )

/** The error if the password is missing or invalid. */
export const noPassword = (message: string): InvalidOption => new InvalidOption({ message, option: "password" })

/**
 * Returns the time limits. Each limit is the value of the first object in `chosen` that contains this limit. If no object contains the
 * limit, its default is used.
 */
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

/** Validates the options and adds defaults. */
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

/** The options with all defaults, and the password as bytes. */
export type ResolvedOptions = Omit<Result.Result.Success<ReturnType<typeof resolveOptions>>, "password"> & {
  readonly password: Uint8Array
}
