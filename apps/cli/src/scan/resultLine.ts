/**
 * Converts the results of a scan to objects. The lines of JSON, CSV and tables are formatted from these objects, and `--where` filters
 * these objects.
 */
import {
  type AddressInput,
  type ScanQuery,
  type ScanResult,
  type ServerAnswer,
  formatAddress,
  parseAddress
} from "@sourcewire/core"
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { notQueryable } from "@sourcewire/games"
import type { InfoReply, Player } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { isIP } from "node:net"
import { answerJson, errorJson } from "../output/json.ts"

/** A result as an object. This type lists only the fields that the program itself reads. */
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

/**
 * Returns the name of a target in the output. The name of a numeric address is the address with its port, even if the user entered no port.
 * The name of any other target is the text that the user entered.
 */
const formatName = ({ address, port, target }: ScanResult<ScanQuery>): string => {
  const given = targetText(target)
  if (address === undefined || port === undefined) return given
  // A host name is not replaced with its address, because this address can change.
  const isNumeric = Result.match(parseAddress(given), {
    onFailure: () => false,
    onSuccess: ({ host }) => isIP(host) > 0
  })
  return isNumeric ? formatAddress({ host: address, port }) : given
}

/**
 * Returns the error of a failed target. If the scan skipped a target that is behind Steam's relays, the function does not return
 * `Excluded`, but an error that mentions the relays.
 */
export const findError = ({ address = "", error }: Extract<ScanResult<ScanQuery>, { readonly _tag: "Failed" }>) =>
  error._tag === "Excluded" ? (notQueryable(address) ?? error) : error

export const resultLine = (result: ScanResult<ScanQuery>): ResultLine => {
  const address = formatName(result)
  if (result._tag === "Failed") return { address, ok: false, error: errorJson(findError(result)) }
  if ("source" in result) {
    // Results of Steam's Web API contain no round-trip time.
    const { info, players, rules, source } = result as unknown as Partial<ResultLine>
    return { address, ok: true, source, info, players, rules }
  }
  const answer = answerJson(result as MeasuredRoundTrip & Partial<ServerAnswer>)
  return { address, ok: true, ...(answer as Partial<ResultLine>) }
}
