/** The addresses that a command is to ask. */
import { type Address, formatAddress, parseAddress } from "@sourcewire/core"
import type { Game, Unaskable } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

export interface Target {
  readonly address: Address
  /** The address as results name it: always with its port. */
  readonly name: string
  /** What it runs, where the command line says so. */
  readonly game?: Game | undefined
  /** Why nobody could answer. */
  readonly unaskable?: Unaskable | undefined
  /** Where else it may be asked, when nobody answers here. */
  readonly others?: ReadonlyArray<Target>
}

export const targetAt = (address: Address): Target => ({ address, name: formatAddress(address) })

/** Where Steam puts the servers behind its relays. */
const LINK_LOCAL = /^169\.254\./

/** The target that an address is by itself; none for an error, for what may name a game and for what only Steam's relays know. */
export const plainTarget = (text: string): Target | undefined => {
  const address = parseAddress(text)
  return Result.isFailure(address) || LINK_LOCAL.test(address.success.host) ? undefined : targetAt(address.success)
}

/** Every target in order. Each is checked before any is asked, so that a typing error costs nobody a query. */
export const targetsOf = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>, file?: string, game?: string) {
  const targets = addresses.flatMap((text) => plainTarget(text) ?? [])
  if (targets.length > 0 && targets.length === addresses.length && (file ?? game) === undefined) return targets
  return yield* (yield* Effect.promise(() => import("./listedTargets.ts"))).listedTargets(addresses, file, game)
})
