/**
 * Parses the text of a target in a list or in the configuration. The text is an address, or a game and an address, such as
 * `rust:192.0.2.1`.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { findGame, likelyQueryPorts, notQueryable } from "@sourcewire/games"
import * as Result from "effect/Result"

/** A parsed target. */
export interface NamedTarget {
  /** The address as `host:port`. If the text contains a game and no port, the port is the most likely query port of the game. */
  readonly address: string
  readonly host: string
  /** The query ports at which the server may reply, the most likely port first. Empty if only one port is possible. */
  readonly ports: ReadonlyArray<number>
}

/** The port of an address if the text contains a game, but no port. 0 is not a valid port in a text. */
const NONE = 0
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

/** Parses a target. Fails with an error message if the text contains no valid address, or if the address cannot be queried. */
export const targetIn = (text: string): Result.Result<NamedTarget, { readonly message: string }> => {
  const plain = parseAddress(text)
  const [, id = "", rest = ""] = Result.isFailure(plain) ? (OF_GAME.exec(text) ?? []) : []
  const game = findGame(id)
  const parsed = game === undefined ? plain : parseAddress(rest, NONE)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const { host, port } = parsed.success
  const why = notQueryable(host, game)
  if (why !== undefined) return Result.fail(why)
  const ports = game === undefined ? [port] : likelyQueryPorts(game, port === NONE ? undefined : port)
  const address = formatAddress({ host, port: ports[0]! })
  return Result.succeed({ address, host, ports: ports.length === 1 ? [] : ports })
}
