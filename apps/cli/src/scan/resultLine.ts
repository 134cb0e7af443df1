/** Results of a scan as the contract's lines, which are also what `--where` looks at and what CSV is made of. */
import { type ScanQuery, type ScanResult, type ServerAnswer, formatAddress } from "@sourcewire/core"
import type { MeasuredRoundTrip } from "@sourcewire/core/machines"
import { unaskable } from "@sourcewire/games"
import { answerJson, errorJson } from "../output/json.ts"

export type ResultLine = Readonly<Record<string, unknown>> & { readonly address: string; readonly ok: boolean }

/** The target as it was given; with its port where it is an address. */
const nameOf = ({ address, port, target }: ScanResult<ScanQuery>): string => {
  if (address === undefined || port === undefined) return typeof target === "string" ? target : formatAddress(target)
  const given = typeof target === "string" ? target : formatAddress(target)
  const numeric = formatAddress({ host: address, port })
  // A host name stays, since nobody knows the number behind it.
  return /[g-z]/i.test(given) && !given.includes("[") ? given : numeric
}

/** Why there is no answer: of an address that only Steam's relays know, that it is one. */
export const errorOf = ({ address = "", error }: Extract<ScanResult<ScanQuery>, { readonly _tag: "Failed" }>) =>
  error._tag === "Excluded" ? (unaskable(address) ?? error) : error

export const resultLine = (result: ScanResult<ScanQuery>): ResultLine => {
  const address = nameOf(result)
  if (result._tag === "Failed") return { address, ok: false, error: errorJson(errorOf(result)) }
  return { address, ok: true, ...answerJson(result as MeasuredRoundTrip & Partial<ServerAnswer>) }
}
