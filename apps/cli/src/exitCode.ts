/** How the program ends, as its contract has it. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"

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

/** Why a file cannot be read, for what catches the system's errors. */
export const cannotRead =
  (file: string) =>
  (cause: unknown): ProgramError =>
    new ProgramError(`Cannot read ${file}: ${(cause as Error).message}.`)

/** Notes that something failed, in case that the program has to end early (its reader went away). Counts as one failure. */
export const recordFailure = (): 1 => {
  process.exitCode = ExitCode.Failure
  return 1
}
