/** A target of a list or of the configuration, as text: an address, or one with its game before it, as in `rust:192.0.2.1`. */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { findGame, likelyQueryPorts, notQueryable } from "@sourcewire/games"
import * as Result from "effect/Result"

/** A target by its address. */
export interface NamedTarget {
  /** As `host:port`. If the text names a game without a port, the most likely query port of the game. */
  readonly address: string
  readonly host: string
  /** The query ports that a named game may use, the most likely first; empty if there is only one. */
  readonly ports: ReadonlyArray<number>
}

/** Means that no port was given. */
const NONE = 0
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

/** Parses a target. Fails with an error message if the text is not an address, or an address that cannot be queried. */
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
