/** A server of a game that the command line names: where to ask it, and whether it can be asked. */
import { type InvalidAddress, parseAddress } from "@sourcewire/core"
import { gameOf, queryPortsOf, unaskable } from "@sourcewire/games"
import * as Result from "effect/Result"
import { type Target, targetAt } from "./targets.ts"

/** Stands for a port that was not given. */
const NONE = 0

export const hasGame = (id: string): boolean => gameOf(id) !== undefined

/** The target of an address, on a server of the game of this id, if any. */
export const gameTarget = (text: string, id: string | undefined): Result.Result<Target, InvalidAddress> => {
  const game = id === undefined ? undefined : gameOf(id)
  return Result.map(parseAddress(text, game === undefined ? undefined : NONE), (address) => {
    const ports =
      game === undefined ? [address.port] : queryPortsOf(game, address.port === NONE ? undefined : address.port)
    const common = { game, unaskable: unaskable(address.host, game) }
    const [first, ...others] = ports.map((port): Target => ({ ...targetAt({ ...address, port }), ...common }))
    return { ...first!, others }
  })
}
