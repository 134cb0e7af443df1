/** Exit codes, and the errors that lead to them. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import { Output } from "./output/output.ts"
import { formatError } from "./output/sentences.ts"
import { explainSystemError } from "./systemError.ts"

export const ExitCode = {
  /** Every target responded. */
  Success: 0,
  /** A target failed, or the program itself failed. */
  Failure: 1,
  /** The command line is invalid. Nothing was sent. */
  Usage: 2,
  /** The server rejected the client, because the password is wrong or the address is banned. */
  Refused: 3,
  /** The server has not replied yet and may still be starting. */
  Starting: 4,
  /** Interrupted by Ctrl-C. */
  Interrupted: 130
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** Creates a class of errors whose messages are shown to the user. */
const messageError = <Tag extends string>(tag: Tag) =>
  class extends Data.TaggedError(tag)<{ readonly message: string }> {
    constructor(message: string) {
      super({ message })
    }
  }

/** The command line, a configuration file or a file with a secret is invalid. Nothing was sent. */
export class UsageError extends messageError("UsageError") {}

/**
 * Converts a result to an effect. If the result is a failure, the effect fails with a usage error, which has the message of the failure.
 */
export const orUsageError = <A>(result: Result.Result<A, { readonly message: string }>): Effect.Effect<A, UsageError> =>
  Effect.mapError(Effect.fromResult(result), ({ message }) => new UsageError(message))

/** A failure whose message was already printed. Only its exit code is used. */
export class Reported extends Data.TaggedError("Reported")<{ readonly exitCode: ExitCode }> {
  constructor(exitCode: ExitCode = ExitCode.Failure) {
    super({ exitCode })
  }
}

/** The program cannot do its work, for example because a file does not exist or a port is in use. */
export class ProgramError extends messageError("ProgramError") {}

export const displayFileName = (file: string): string => (file === "-" ? "standard input" : file)

/** Returns a function that creates the error for a file that cannot be read. The name `-` means standard input. */
export const cannotRead =
  (file: string) =>
  (cause: unknown): ProgramError =>
    new ProgramError(`Cannot read ${displayFileName(file)}: ${explainSystemError(cause)}.`)

/** Reads a file. If the file cannot be read, the effect fails with the error of {@link cannotRead}. */
export const reading = <A>(file: string, read: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ProgramError> =>
  Effect.tryPromise({ try: read, catch: cannotRead(file) })

/**
 * Sets the exit code for a failure. Returns 1, so that the caller can add it to the number of failures. This function sets the exit code at
 * once, because the program can end early. If the reader of the output closes the pipe, the program ends with the exit code that is set at
 * that time.
 */
export const recordFailure = (): 1 => {
  process.exitCode = ExitCode.Failure
  return 1
}

/**
 * `USAGE` and `FAILURE` match the tags of errors whose message is a complete sentence. `USAGE` matches usage errors, and `FAILURE` matches
 * the other errors.
 */
const USAGE = /^(?:UsageError|NoMaster|Invalid(?:Address|Fault|Filter|Option|Proxy|Range|Server))$/
const FAILURE = /^(?:ProgramError|EncodeError|InvalidConfig|SendFailed|StoreFailed|StoreTaken|Unresolved)$/

/** Whether an error is a usage error, which means that the program sent nothing. */
export const isUsage = ({ _tag = "" }: { readonly _tag?: string }): boolean => USAGE.test(_tag)

/** Explains why a program cannot listen on an address. If the error is not about listening, the result is the message of the error. */
export const explainListenError = (error: Pick<NodeJS.ErrnoException, "code" | "message">): string => {
  const { code, message } = error
  const [where = "The address to listen on"] = /\S+:\d+(?=\.?$)/.exec(message) ?? []
  switch (code) {
    case "EADDRINUSE":
      return `${where} is in use (EADDRINUSE): another program listens there. Stop it, or choose another port.`
    case "EACCES":
      return `${where} is not allowed (EACCES): ports below 1024 require administrator rights. Choose another port.`
    case "EADDRNOTAVAIL":
      return `${where} is not an address of this host (EADDRNOTAVAIL). Use an address of one of its network interfaces.`
    default:
      return /^(?:bind|listen) E/.test(message) ? `${where} cannot be used: ${explainSystemError(error)}.` : message
  }
}

/** Prints the error of a command if it was not printed before. Returns the exit code. */
export const reportExit = (cause: Cause.Cause<unknown>): Effect.Effect<ExitCode, never, Output> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(ExitCode.Interrupted)
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error instanceof Reported) return Effect.succeed(error.exitCode)
  const known = (error ?? {}) as { readonly _tag?: string; readonly code?: string; readonly message: string }
  const { _tag: tag = "" } = known
  const message =
    isUsage(known) || FAILURE.test(tag) ? explainListenError(known) : `unexpected failure. ${Cause.pretty(cause)}`
  const end = isUsage(known) ? ExitCode.Usage : ExitCode.Failure
  return Effect.flatMap(Output, ({ err }) => Effect.as(err.line(formatError(err, message)), end))
}
