/**
 * RCON's failures: a sentence for people, an object for programs, and the exit code.
 *
 * @module
 */
import type { Rcon } from "@sourcewire/core"
import { ExitCode } from "../exitCode.ts"
import type { Palette } from "../output/palette.ts"
import { safe } from "../output/text.ts"

/** The server knows us, and wants nothing of us. */
export const isRefusal = ({ _tag }: Rcon.RconError): boolean => _tag === "AuthenticationFailed" || _tag === "Refused"

/** How the program ends after a failure. */
export const exitCodeOf = (error: Rcon.RconError): ExitCode => (isRefusal(error) ? ExitCode.Refused : ExitCode.Failure)

const ADVICE: Partial<Record<Rcon.RconError["_tag"], string>> = {
  AuthenticationFailed: "Check the password; after a few wrong ones servers ban the address.",
  ConnectionClosed: "--trace shows what passed.",
  Malformed: "This may not be a game server's console; --trace shows its bytes.",
  LimitExceeded: "No game server prints as much; it may not be one."
}

const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)

/** What happened and what to try, on one line. */
export const failureLine = (address: string, error: Rcon.RconError, palette: Palette): string => {
  const told = sentence(safe(error.message.trim()))
  const what = told.charAt(0).toUpperCase() + told.slice(1)
  return `${palette.bad("✗")} ${palette.strong(address)}  ${what} ${ADVICE[error._tag] ?? ""}`.trimEnd()
}
