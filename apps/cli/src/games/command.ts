/** `sourcewire games`: lists the supported games. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const games = command({
  group: "Find",
  description: "List the supported games with their ports and Steam app ids",
  examples: {
    "sourcewire games arma": "List games by a part of their name",
    "sourcewire query --game valheim 127.0.0.1": "Query a server at the usual query port of its game"
  },
  flags,
  load: async () => (await import("./runGames.ts")).runGames
})
