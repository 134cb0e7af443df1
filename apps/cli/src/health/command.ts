/**
 * `sourcewire health`: reports the health of a game server as an exit code. Tools such as Kubernetes use this exit code to decide whether
 * they restart the server, and whether they send players to the server.
 */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const health = command({
  group: "Query",
  description: "Check the health of a server, for Docker, Kubernetes, systemd and scripts",
  examples: {
    "sourcewire health 127.0.0.1:27015": "Exit with 0 if the server replies, otherwise with 1",
    "sourcewire health 127.0.0.1:27015 --start-grace 5m --max-age 60":
      "Allow five minutes for the start, and one minute without a reply, for example during a map change",
    "sourcewire health 127.0.0.1:27015 --min-players 1 --map 'de_*'":
      "Require one player, and a map that begins with de_"
  },
  flags,
  load: async () => (await import("./runHealth.ts")).runHealth
})
