/** `sourcewire rcon`: runs commands on a server's console. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const rcon = command({
  group: "Query",
  description: "Run commands on a server's console (RCON, over TCP or UDP)",
  examples: {
    "sourcewire rcon 127.0.0.1:27015": "Ask for the password, then open a prompt",
    "sourcewire rcon 127.0.0.1:27015 --password-file rcon.txt changelevel de_dust2": "Run one command",
    "sourcewire rcon 127.0.0.1 --json -e status -e stats":
      "Run several commands, and print JSON; the password is in SOURCEWIRE_RCON_PASSWORD"
  },
  flags,
  load: async () => (await import("./runRcon.ts")).runRcon
})
