/** How the program ends, as its contract has it. */
import * as Data from "effect/Data"

/** What an exit code says. */
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

/** One of the codes. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The command line makes no sense in a way that its parser cannot see. Nothing has been sent. */
export class UsageError extends Data.TaggedError("UsageError")<{
  /** A sentence for people. */
  readonly message: string
}> {}

/** Something failed, and a line about it has been printed: only the exit code is left to say it. */
export class Reported extends Data.TaggedError("Reported")<{ readonly exitCode: ExitCode }> {}

/** The program cannot do its work: a file that is not there, a port that is taken. */
export class ProgramError extends Data.TaggedError("ProgramError")<{
  /** A sentence for people. */
  readonly message: string
}> {}

/** Why a file cannot be read, for what catches the system's errors. */
export const cannotRead =
  (file: string) =>
  (cause: unknown): ProgramError =>
    new ProgramError({ message: `Cannot read ${file}: ${(cause as Error).message}.` })

/** Notes that something failed, in case that the program has to end early (its reader went away). Counts as one failure. */
export const recordFailure = (): 1 => {
  process.exitCode = ExitCode.Failure
  return 1
}
