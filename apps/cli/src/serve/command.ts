/** `sourcewire serve`: runs emulated game servers, optionally with faults. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const serve = command({
  group: "Develop",
  description: "Emulate game servers on this host, with optional faults",
  examples: {
    "sourcewire serve": "Emulate a Counter-Strike: Source server on 127.0.0.1:27015",
    "sourcewire serve --profile cs16 --profile rust --port 27020": "Emulate two servers",
    "sourcewire serve --loss 0.3 --delay 50 --rechallenge 2": "Emulate a server behind a bad connection",
    "sourcewire serve --replies replies.json": "Send the replies that the playground exported, to test a client",
    "sourcewire serve --master xash3d --master-list servers.txt":
      "Emulate a master server, for `sourcewire master 127.0.0.1:27010`",
    "sourcewire serve --rcon-password-file rcon.txt":
      "Emulate a server with RCON, for `sourcewire rcon` and other clients"
  },
  flags,
  isDaemon: true,
  load: async () => (await import("./runServe.ts")).runServe
})
