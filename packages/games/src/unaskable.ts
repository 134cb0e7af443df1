/** Servers that cannot be queried, and why, before any datagram is sent. */
import { TaggedError } from "@sourcewire/protocol/wire"
import { demandText } from "./edge.ts"
import { type Game, demandGame } from "./Game.ts"

/** No server at the address can answer A2S, or the game does not. The message names the alternative. */
export class Unaskable
  extends /* @__PURE__ */ TaggedError("Unaskable")<{
    readonly message: string
    /** `relayed`: an address of Steam's relays (a FakeIP). `noA2S`: a game that does not answer A2S. */
    readonly reason: "relayed" | "noA2S"
  }> {}

/** Steam gives servers behind its relays an address of 169.254.0.0/16: unique per app, the same for everyone, until the server restarts. */
const RELAYED = /^169\.254\.\d{1,3}\.\d{1,3}$/

/** Why the server at a host cannot be queried, if that is known. Games whose older servers still answer A2S can be queried. */
export const unaskable = (host: string, game?: Game): Unaskable | undefined => {
  demandText("host", host)
  demandGame(game)
  if (RELAYED.test(host)) {
    return new Unaskable({
      reason: "relayed",
      message: `${host} is a FakeIP of Steam's relays: it does not answer queries over UDP, and it changes when the server restarts. Use the server's real address, or Steam's Web API (IGameServersService/QueryByFakeIP).`
    })
  }
  if (game === undefined || game.instead === null || game.reader !== null) return undefined
  const { protocol, since } = game.instead
  return new Unaskable({
    reason: "noA2S",
    message: `${game.name} does not support A2S${since === undefined ? "" : ` since ${since}`}. It uses ${protocol}.`
  })
}
