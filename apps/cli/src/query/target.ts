/** A target of a command. */
import { type Address, type InvalidAddress, formatAddress, parseAddress } from "@sourcewire/core"
import type { Game, NotQueryable } from "@sourcewire/games"
import * as Result from "effect/Result"

export interface Target {
  readonly address: Address
  /** The address in results, always with a port. */
  readonly name: string
  /** The game, if the command line names it. */
  readonly game?: Game | undefined
  /** The text that the user entered, if it contains a game. */
  readonly given?: string | undefined
  /** Why the target cannot be queried: it is a relayed server, or its address is invalid. */
  readonly notQueryable?: NotQueryable | InvalidAddress | undefined
  /** Other query ports to try if this port does not reply. */
  readonly others?: ReadonlyArray<Target>
}

/** A target for an invalid line of a list. Its error is reported like that of a server. */
export const failedTarget = (text: string, error: InvalidAddress): Target => ({
  address: { host: "", port: 0 } as Address,
  name: text,
  notQueryable: error
})

export const targetAt = (address: Address): Target => ({ address, name: formatAddress(address) })

/** Addresses that Steam uses for servers behind its relays. */
const LINK_LOCAL = /^169\.254\./

/** The target of a plain address; `undefined` if it is invalid, may contain a game, or belongs to Steam's relays. */
export const plainTarget = (text: string): Target | undefined => {
  const address = parseAddress(text)
  return Result.isFailure(address) || LINK_LOCAL.test(address.success.host) ? undefined : targetAt(address.success)
}
