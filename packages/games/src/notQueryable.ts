/** Detects servers that cannot be queried, before a datagram is sent. */
import { TaggedError } from "@sourcewire/protocol/wire"
import { demandText } from "./edge.ts"
import { type Game, demandGame } from "./Game.ts"

/** The server cannot be queried: its address is a FakeIP, or its game does not support A2S. The message names an alternative. */
export class NotQueryable
  extends /* @__PURE__ */ TaggedError("NotQueryable")<{
    readonly message: string
    /** `relayed`: an address of Steam's relays (a FakeIP). `noA2S`: the game does not support A2S. */
    readonly reason: "relayed" | "noA2S"
  }> {}

/**
 * Steam gives servers behind its relays an address in 169.254.0.0/16. The address is unique per app. All clients can use the address until
 * the server restarts.
 */
const RELAYED = /^169\.254\.\d{1,3}\.\d{1,3}$/

/**
 * Returns the reason why a server cannot be queried; `undefined` if the server can be queried. If older servers of a game support A2S, the
 * game is not a reason, because the server may be one of the older servers.
 */
export const notQueryable = (host: string, game?: Game): NotQueryable | undefined => {
  demandText("host", host)
  demandGame(game)
  if (RELAYED.test(host)) {
    return new NotQueryable({
      reason: "relayed",
      message: `${host} is a FakeIP of Steam's relays: it does not reply to queries over UDP, and it changes when the server restarts. Use the server's real address, or Steam's Web API (QueryByFakeIP).`
    })
  }
  if (game === undefined || game.instead === null || game.reader !== null) return undefined
  const { protocol, since } = game.instead
  return new NotQueryable({
    reason: "noA2S",
    message: `${game.name} does not support A2S${since === undefined ? "" : ` since ${since}`}. It uses ${protocol}.`
  })
}
