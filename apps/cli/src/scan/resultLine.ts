/** Results of a scan as the contract's lines, which are also what `--where` looks at and what CSV is made of. */
import { type AddressInput, type ScanQuery, type ScanResult, type ServerAnswer, formatAddress } from "@sourcewire/core"
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { unaskable } from "@sourcewire/games"
import type { InfoReply, Player } from "@sourcewire/protocol"
import { answerJson, errorJson } from "../output/json.ts"

/** A line, with the types of what the program itself looks at. */
export type ResultLine = Readonly<Record<string, unknown>> &
  Partial<MeasuredRoundTrip> & {
    readonly address: string
    readonly ok: boolean
    readonly info?: Partial<Pick<InfoReply, "name" | "map" | "players" | "maxPlayers">> | undefined
    readonly players?: { readonly players: ReadonlyArray<Pick<Player, "name">> } | undefined
    readonly rules?: { readonly rules: ReadonlyArray<unknown> } | undefined
    readonly error?: { readonly _tag: string } | undefined
  }

export const targetText = (target: AddressInput): string =>
  typeof target === "string" ? target : formatAddress(target)

/** The target as it was given; with its port where it is an address. */
const formatName = ({ address, port, target }: ScanResult<ScanQuery>): string => {
  const given = targetText(target)
  // A host name stays, because its address may change.
  const isName = /[g-z]/i.test(given) && !given.includes("[")
  return isName || address === undefined || port === undefined ? given : formatAddress({ host: address, port })
}

/** Why there is no answer: of an address that only Steam's relays know, that it is one. */
export const findError = ({ address = "", error }: Extract<ScanResult<ScanQuery>, { readonly _tag: "Failed" }>) =>
  error._tag === "Excluded" ? (unaskable(address) ?? error) : error

export const resultLine = (result: ScanResult<ScanQuery>): ResultLine => {
  const address = formatName(result)
  if (result._tag === "Failed") return { address, ok: false, error: errorJson(findError(result)) }
  const answer = answerJson(result as MeasuredRoundTrip & Partial<ServerAnswer>)
  return { address, ok: true, ...(answer as Partial<ResultLine>) }
}
