/** Results of a scan as the contract's lines, which are also what `--where` looks at and what CSV is made of. */
import { type Answered, type ScanQuery, type ScanResult, formatAddress } from "@sourcewire/core"
import { errorJson } from "../output/json.ts"
import { roundTripJson } from "../view/quantities.ts"

/** A line of NDJSON as an object. */
export type ResultLine = Readonly<Record<string, unknown>> & { readonly address: string; readonly ok: boolean }

/** The target as it was given; with its port where it is an address. */
const nameOf = ({ address, port, target }: ScanResult<ScanQuery>): string => {
  if (address === undefined || port === undefined) return typeof target === "string" ? target : formatAddress(target)
  const given = typeof target === "string" ? target : formatAddress(target)
  const numeric = formatAddress({ host: address, port })
  // A host name stays, since nobody knows the number behind it.
  return /[g-z]/i.test(given) && !given.includes("[") ? given : numeric
}

const PARTS = ["info", "players", "rules"] as const

/** The line of a result. */
export const resultLine = (result: ScanResult<ScanQuery>): ResultLine => {
  const address = nameOf(result)
  if (result._tag === "Failed") return { address, ok: false, error: errorJson(result.error) }
  const all = result as Partial<Answered<"all">>
  const parts = Object.fromEntries(PARTS.flatMap((part) => (all[part] === undefined ? [] : [[part, all[part]]])))
  return {
    address,
    ok: true,
    ...roundTripJson(result),
    ...parts,
    ...(all.playersAssumed === undefined ? {} : { playersAssumed: all.playersAssumed }),
    ...(all.legacy === undefined ? {} : { legacyInfo: all.legacy }),
    ...(all.errors === undefined
      ? {}
      : { errors: Object.fromEntries(Object.entries(all.errors).map(([part, error]) => [part, errorJson(error)])) })
  }
}
