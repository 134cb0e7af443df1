/** One address that a command queries. */
import { type Address, type InvalidAddress, formatAddress, parseAddress } from "@sourcewire/core"
import type { Game, Unaskable } from "@sourcewire/games"
import * as Result from "effect/Result"

export interface Target {
  readonly address: Address
  /** The address as results name it: always with its port. */
  readonly name: string
  /** The game, if the command line names it. */
  readonly game?: Game | undefined
  /** The target as the user wrote it, if that names a game. */
  readonly given?: string | undefined
  /** Why it cannot be queried: it is a relayed server, or no address at all. */
  readonly unaskable?: Unaskable | InvalidAddress | undefined
  /** Other query ports to try if there is no reply here. */
  readonly others?: ReadonlyArray<Target>
}

/** An invalid line of a list, whose error is reported like that of a server. */
export const failedTarget = (text: string, error: InvalidAddress): Target => ({
  address: { host: "", port: 0 } as Address,
  name: text,
  unaskable: error
})

export const targetAt = (address: Address): Target => ({ address, name: formatAddress(address) })

/** Addresses that Steam uses for servers behind its relays. */
const LINK_LOCAL = /^169\.254\./

/** The target of a plain address; `undefined` if it is invalid, may name a game, or belongs to Steam's relays. */
export const plainTarget = (text: string): Target | undefined => {
  const address = parseAddress(text)
  return Result.isFailure(address) || LINK_LOCAL.test(address.success.host) ? undefined : targetAt(address.success)
}
