/** Who cannot be asked, and why, before anything is sent. */
import { TaggedError } from "@sourcewire/protocol/machines"
import { demandText } from "./edge.ts"
import { type Game, demandGame } from "./Game.ts"

/** There is nobody at the address who could answer A2S, or the game does not. The message says what there is instead. */
export class Unaskable
  extends /* @__PURE__ */ TaggedError("Unaskable")<{
    readonly message: string
    /** `relayed`: an address that only Steam's relays know. `noA2S`: a game that does not answer. */
    readonly reason: "relayed" | "noA2S"
  }> {}

/** Steam's relayed servers are shown with an address of 169.254.0.0/16, which stands for a connection and leads nowhere. */
const RELAYED = /^169\.254\.\d{1,3}\.\d{1,3}$/

/**
 * Why the server at a host cannot be asked, where that is known. `game` is the one it is said to run; one whose older servers still answer
 * can be asked.
 */
export const unaskable = (host: string, game?: Game): Unaskable | undefined => {
  demandText("host", host)
  demandGame(game)
  if (RELAYED.test(host)) {
    return new Unaskable({
      reason: "relayed",
      message: `${host} is no address but a stand-in for a connection through Steam's relays (a FakeIP): it differs from one computer to the next and answers no queries. Ask the server's operator for its real address.`
    })
  }
  if (game === undefined || game.instead === null || game.reader !== null) return undefined
  const { protocol, since } = game.instead
  return new Unaskable({
    reason: "noA2S",
    message: `${game.name} does not answer A2S${since === undefined ? "" : ` since ${since}`}; it uses ${protocol}.`
  })
}
