/** The facts that the package `@sourcewire/games` finds in replies. The package is loaded when it is needed for the first time. */
import { signal } from "@preact/signals"
import type * as Games from "@sourcewire/games"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { useEffect } from "preact/hooks"

/** The replies of a server. Replies that were not received are absent. */
export interface Replies {
  readonly info?: InfoReply | GoldSourceInfoReply | undefined
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

/** The game of the server, and the facts that its replies contain. */
export interface GameFacts extends Games.Facts {
  readonly game: Games.Game
  /** Names of the facts that the page also shows in the summary of a server. */
  readonly inSummary: ReadonlySet<string>
}

const games = signal<typeof Games | undefined>(undefined)

/** The facts in the given replies. `undefined` if the game is unknown, and while the package is loading. */
export const useFacts = ({ info, players, rules }: Replies): GameFacts | undefined => {
  const isWanted = info !== undefined
  useEffect(() => void (isWanted && import("@sourcewire/games").then((loaded) => (games.value = loaded))), [isWanted])
  const known = games.value
  const game = info === undefined ? undefined : known?.identify(info)
  if (known === undefined || game === undefined || info === undefined) return undefined
  return { ...known.readFacts(game, { info, players, rules }), game, inSummary: known.SUMMARY_FACTS }
}
