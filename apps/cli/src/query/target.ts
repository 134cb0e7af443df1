/** The targets of commands that query servers. */
import { type Address, type InvalidAddress, formatAddress, parseAddress } from "@sourcewire/core"
import type { Game, NotQueryable } from "@sourcewire/games"
import * as Result from "effect/Result"

export interface Target {
  readonly address: Address
  /** The name of the target in results: the address with a port, or the text of an invalid line. */
  readonly name: string
  /** The game, if the command line names it. */
  readonly game?: Game | undefined
  /** The text that the user entered, if it contains a game. */
  readonly given?: string | undefined
  /** The reason why the target cannot be queried: its address is invalid, it is behind Steam's relays, or its game does not support A2S. */
  readonly notQueryable?: NotQueryable | InvalidAddress | undefined
  /**
   * Targets with the same host, and with the other query ports of the game. They are queried if the server does not respond on the port in
   * `address`.
   */
  readonly others?: ReadonlyArray<Target>
}

/** Returns a target for an invalid line of a list. The target is not queried, and its result is the error of the line. */
export const failedTarget = (text: string, error: InvalidAddress): Target => ({
  address: { host: "", port: 0 } as Address,
  name: text,
  notQueryable: error
})

export const targetAt = (address: Address): Target => ({ address, name: formatAddress(address) })

/** Matches the addresses that Steam assigns to servers behind its relays. */
const LINK_LOCAL = /^169\.254\./

/**
 * Parses a target that is only an address. Returns `undefined` if the text is invalid, may contain a game, or is an address of Steam's
 * relays.
 */
export const plainTarget = (text: string): Target | undefined => {
  const address = parseAddress(text)
  return Result.isFailure(address) || LINK_LOCAL.test(address.success.host) ? undefined : targetAt(address.success)
}
