/** Formats results as JSON, one value per line (NDJSON). */
import type { ServerAnswer } from "@sourcewire/core"
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { displayJson } from "@sourcewire/core/text"
import { roundTripJson } from "../view/quantities.ts"

/** Formats a value as JSON on one line, without a line end. */
export const jsonLine = (value: unknown): string => displayJson(JSON.stringify(value))

/** Formats an error for JSON results. The tag and the message are the first properties. */
export const errorJson = ({ _tag, message, ...rest }: { readonly _tag: string; readonly message: string }) => ({
  _tag,
  message,
  ...rest
})

/**
 * Converts the replies of a server, and the errors of failed queries, to a JSON object. JSON omits properties whose value is `undefined`.
 */
export const answerJson = (answer: MeasuredRoundTrip & Partial<ServerAnswer>): Record<string, unknown> => {
  const { errors, info, legacy, players, playersAssumed, rules } = answer
  const failed = Object.entries(errors ?? {}).map(([part, error]) => [part, errorJson(error)])
  return {
    ...roundTripJson(answer),
    info,
    legacyInfo: legacy,
    players,
    playersAssumed,
    rules,
    errors: errors === undefined ? undefined : Object.fromEntries(failed)
  }
}
