/** `sourcewire health`: reports the health of a game server as an exit code, for tools that restart it or send players to it. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const health = command({
  group: "Query",
  description: "Check the health of a server, for Docker, Kubernetes, systemd and scripts",
  examples: {
    "sourcewire health 127.0.0.1:27015": "Exit with 0 if the server replies, otherwise with 1",
    "sourcewire health 127.0.0.1:27015 --start-grace 5m --max-age 60":
      "Exit with 4 while a new server starts; allow it a minute without a reply, as during a map change",
    "sourcewire health 127.0.0.1:27015 --min-players 1 --map 'de_*'": "Require a player and one of some maps"
  },
  flags,
  load: async () => (await import("./runHealth.ts")).runHealth
})
