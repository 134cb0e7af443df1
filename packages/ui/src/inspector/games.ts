/** The games, loaded when a page first has something to explain. */
import { signal } from "@preact/signals"
import type * as Games from "@sourcewire/games"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import { useEffect } from "preact/hooks"

/** The replies of a server, as far as there are any. */
export interface Replies {
  readonly info?: InfoReply | GoldSourceInfoReply | undefined
  readonly players?: PlayersReply | undefined
  readonly rules?: RulesReply | undefined
}

/** What a server reports in its game's own way. */
export interface OfGame extends Games.Facts {
  readonly game: Games.Game
  /** Names of facts that a summary shows as well. */
  readonly inSummary: ReadonlySet<string>
}

const games = signal<typeof Games | undefined>(undefined)

/** The facts in some replies; `undefined` for an unknown game, and until the games are loaded. */
export const useFacts = ({ info, players, rules }: Replies): OfGame | undefined => {
  const isWanted = info !== undefined
  useEffect(() => void (isWanted && import("@sourcewire/games").then((loaded) => (games.value = loaded))), [isWanted])
  const known = games.value
  const game = info === undefined ? undefined : known?.identify(info)
  if (known === undefined || game === undefined || info === undefined) return undefined
  return { ...known.readFacts(game, { info, players, rules }), game, inSummary: known.SUMMARY_FACTS }
}
