/** Failures for people: one line each but on a narrow terminal, with a sentence that says what to try. */
import type { QueryError, Refused } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import { errorJson, jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { told } from "../output/sentences.ts"
import { safe, uncoloured } from "../output/text.ts"

/** What to try, for the errors whose own message does not say it. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  Malformed: "It may not be a game server of this family; --trace shows its bytes.",
  ChecksumMismatch:
    "Something damages its replies on their way, or it computes the checksum wrongly; --trace shows its bytes.",
  LimitExceeded: "No game server sends as much; it may not be one."
}

interface Failure {
  readonly _tag: string
  readonly message: string
}

const adviceOn = (error: Failure): string => {
  if (error._tag !== "Refused") return ADVICE[error._tag] ?? ""
  return /\bban/i.test((error as Refused).text)
    ? "Only its operator can lift a ban (removeip), unless it runs out by itself."
    : "It may limit how often one may ask: wait a little and try again."
}

/** What happened and what to try, as sentences on one line, safe for a terminal. */
const sentences = (message: string, advice: string): string => {
  const text = uncoloured(message.trim())
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? "" : "."} ${advice}`.trimEnd()
}

export const explain = (error: QueryError): string => sentences(error.message, adviceOn(error))

/** A failure behind the address that it is about. */
export const failureWith = (address: string, message: string, advice: string, surface: Surface): string =>
  told(surface, `${surface.palette.bad("✗")} ${surface.palette.strong(safe(address))}  `, sentences(message, advice))

/** Prints why there is no answer: a line of JSON among the results, or a sentence beside them, with another on what to try. */
export const printFailure = (address: string, error: Failure, json: boolean, advice = adviceOn(error)) =>
  Effect.flatMap(Output, ({ err, out }) =>
    json
      ? out.line(jsonLine({ address, ok: false, error: errorJson(error) }))
      : err.line(failureWith(address, error.message, advice, err))
  )
