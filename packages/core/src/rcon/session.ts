/** What the sessions of all engines look like to the one API over them. */
import { type Encoding, EncodeError } from "@sourcewire/protocol"
import { encodeText } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { InvalidOption } from "../client/Options.ts"
import type { QueryError } from "../engine/QueryError.ts"
import type { RconEngine } from "./options.ts"

/** How a command, or the attempt to log in, can end. */
export type RconError = EncodeError | InvalidOption | QueryError

/** How long one command may take, in ms. */
export interface TimeLimits {
  /** Longest silence. */
  readonly timeoutMs: number
  /** From when it is sent to its end, however much the server says meanwhile. */
  readonly totalTimeoutMs: number
}

/** Where the parts of one reply go, and its end. Nothing is called after the end. */
export interface ReplySink {
  readonly onPart: (bytes: Uint8Array) => void
  readonly onEnd: (error?: RconError) => void
}

/** Takes commands in parallel, in the order given. */
export interface CommandRunner {
  /** Queues a command that was made by {@link encodeWords}. The returned function gives it up. */
  readonly exec: (command: Uint8Array, limits: TimeLimits, sink: ReplySink) => () => void
}

/** A session that is logged in. */
export interface Connected {
  /** What the server turned out to speak. */
  readonly engine: RconEngine
  readonly runner: CommandRunner
}

/**
 * Bytes of a command or password. `field` names it in the error; the text itself never stands there, since commands may hold
 * passwords as well (`sv_password …`).
 */
export const encodeWords = (
  text: string,
  encoding: Encoding,
  field: "command" | "password"
): Result.Result<Uint8Array, EncodeError> => {
  const fail = (message: string) => Result.fail(new EncodeError({ message, messageTag: "RconRequest", field }))
  if (typeof text !== "string") return fail(`The ${field} is no text.`)
  if (text.includes("\0")) return fail(`The ${field} holds a NUL character, which ends a text on the wire.`)
  const bytes = encodeText(text, encoding)
  return bytes === undefined
    ? fail(`The ${field} holds a character that ${encoding === "auto" ? "utf-8" : encoding} lacks.`)
    : Result.succeed(bytes)
}
