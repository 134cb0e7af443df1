/** `sourcewire games`: the games that are known. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  json: options.json,
  text: options.rest("text", "Games whose id, name or app id holds this; all without it")
}

export type GamesSettings = options.Settings<typeof flags>

export const games = command({
  description: "List the games that are known, with their ports and Steam app ids",
  examples: {
    "sourcewire games arma": "Games by a part of their name",
    "sourcewire query --game valheim 127.0.0.1": "Ask where a game's servers are asked"
  },
  flags,
  load: async () => (await import("./runGames.ts")).runGames
})
