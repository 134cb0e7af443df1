/** How the program ends, as its contract has it. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import { Output } from "./output/output.ts"
import { complaint } from "./output/sentences.ts"

export const ExitCode = {
  /** Every target answered. */
  Success: 0,
  /** Some target failed, or the program itself. */
  Failure: 1,
  /** The command line makes no sense. */
  Usage: 2,
  /** The server refused us: wrong password, banned. */
  Refused: 3,
  /** Ctrl-C. */
  Interrupted: 130
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** An error of which a sentence for people is all that there is to say. */
const saying = <Tag extends string>(tag: Tag) =>
  class extends Data.TaggedError(tag)<{ readonly message: string }> {
    constructor(message: string) {
      super({ message })
    }
  }

/** The command line makes no sense in a way that its parser cannot see. Nothing has been sent. */
export class UsageError extends saying("UsageError") {}

/** What a result has, where a failure is the command line's. */
export const orUsageError = <A>(result: Result.Result<A, { readonly message: string }>): Effect.Effect<A, UsageError> =>
  Effect.mapError(Effect.fromResult(result), ({ message }) => new UsageError(message))

/** Something failed, and a line about it has been printed: only the exit code is left to say it. */
export class Reported extends Data.TaggedError("Reported")<{ readonly exitCode: ExitCode }> {
  constructor(exitCode: ExitCode = ExitCode.Failure) {
    super({ exitCode })
  }
}

/** The program cannot do its work: a file that is not there, a port that is taken. */
export class ProgramError extends saying("ProgramError") {}

/** Why a file (`-` is standard input) cannot be read, for what catches errors. */
export const cannotRead =
  (file: string) =>
  (cause: unknown): ProgramError =>
    new ProgramError(`Cannot read ${file === "-" ? "standard input" : file}: ${(cause as Error).message}.`)

/** Runs what reads a file. */
export const reading = <A>(file: string, read: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ProgramError> =>
  Effect.tryPromise({ try: read, catch: cannotRead(file) })

/** Notes that something failed, in case that the program has to end early (its reader went away). Counts as one failure. */
export const recordFailure = (): 1 => {
  process.exitCode = ExitCode.Failure
  return 1
}

/** Errors that say all there is to say, the program's own and those of the packages: of the command line, and of all else. */
const USAGE = /^(?:UsageError|NoMaster|Invalid(?:Address|Fault|Filter|Option|Proxy|Range|Server))$/
const FAILURE = /^(?:ProgramError|EncodeError|InvalidConfig|SendFailed|StoreFailed|StoreTaken|Unresolved)$/

/** Whether an error is the command line's, of which nothing has been sent. */
export const isUsage = ({ _tag = "" }: { readonly _tag?: string }): boolean => USAGE.test(_tag)

/** What an error says; that a port is taken, of which the system has a word, in a sentence. */
export const whyNotListening = ({ code, message }: Pick<NodeJS.ErrnoException, "code" | "message">): string => {
  if (code !== "EADDRINUSE") return message
  const [where = "That port"] = /\S+:\d+(?=\.?$)/.exec(message) ?? []
  return `${where} is taken (EADDRINUSE): another program listens there. Stop that one, or choose another port.`
}

/** Says why a command failed, unless that has been said, and gives how the program ends. */
export const exitCodeOf = (cause: Cause.Cause<unknown>): Effect.Effect<ExitCode, never, Output> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.succeed(ExitCode.Interrupted)
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error instanceof Reported) return Effect.succeed(error.exitCode)
  const known = (error ?? {}) as { readonly _tag?: string; readonly code?: string; readonly message: string }
  const { _tag: tag = "" } = known
  const message =
    isUsage(known) || FAILURE.test(tag) ? whyNotListening(known) : `unexpected failure. ${Cause.pretty(cause)}`
  const end = isUsage(known) ? ExitCode.Usage : ExitCode.Failure
  return Effect.flatMap(Output, ({ err }) => Effect.as(err.line(complaint(err, message)), end))
}
