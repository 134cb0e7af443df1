/** RCON's failures: a sentence for people, an object for programs, and the exit code. */
import type { RconError } from "@sourcewire/core"
import { ExitCode } from "../exitCode.ts"
import type { Palette } from "../output/palette.ts"
import { failureWith } from "../view/failureLine.ts"

/** The server knows us, and wants nothing of us. */
export const isRefusal = ({ _tag }: RconError): boolean => _tag === "AuthenticationFailed" || _tag === "Refused"

/** How the program ends after a failure. */
export const exitCodeOf = (error: RconError): ExitCode => (isRefusal(error) ? ExitCode.Refused : ExitCode.Failure)

const ADVICE: Partial<Record<RconError["_tag"], string>> = {
  AuthenticationFailed: "Check the password; after a few wrong ones servers ban the address.",
  ConnectionClosed: "--trace shows what passed.",
  Malformed: "This may not be a game server's console; --trace shows its bytes.",
  LimitExceeded: "No game server prints as much; it may not be one."
}

/** What happened and what to try, on one line. */
export const failureLine = (address: string, error: RconError, palette: Palette): string =>
  failureWith(address, error.message, ADVICE[error._tag] ?? "", palette)
