/** Formats and prints failures. The text for people consists of the error message and a sentence of advice. */
import type { Refused } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import { errorJson, jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { formatSentence } from "../output/sentences.ts"
import { safe, uncoloured } from "../output/text.ts"

/** Advice for errors whose message contains no advice. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  Malformed: "This may not be a game server; --trace shows the received bytes.",
  ChecksumMismatch:
    "The reply was damaged on the way, or the server computes the checksum wrongly; --trace shows the received bytes.",
  LimitExceeded: "Game servers do not send that much. Check the address."
}

interface Failure {
  readonly _tag: string
  readonly message: string
}

const adviceOn = (error: Failure): string => {
  if (error._tag !== "Refused") return ADVICE[error._tag] ?? ""
  return /\bban/i.test((error as Refused).text)
    ? "Only the server's operator can lift a ban (removeip), unless the ban expires."
    : "The server may limit the rate of queries: wait a moment and try again."
}

/** The message and the advice as sentences on one line. The text is safe for a terminal. */
const sentences = (message: string, advice: string): string => {
  const text = uncoloured(message.trim())
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? "" : "."} ${advice}`.trimEnd()
}

export const explain = (error: Failure): string => sentences(error.message, adviceOn(error))

/** Formats a failure as text: the address, the message and the advice. */
export const failureWith = (address: string, message: string, advice: string, surface: Surface): string =>
  formatSentence(
    surface,
    `${surface.palette.bad("✗")} ${surface.palette.strong(safe(address))}  `,
    sentences(message, advice)
  )

/**
 * Prints a failure. With `--json`, the failure is printed as a JSON line on standard output, like the results. Without `--json`, the
 * failure is printed as sentences on standard error.
 */
export const printFailure = (address: string, error: Failure, json: boolean, advice = adviceOn(error)) =>
  Effect.flatMap(Output, ({ err, out }) =>
    json
      ? out.line(jsonLine({ address, ok: false, error: errorJson(error) }))
      : err.line(failureWith(address, error.message, advice, err))
  )
