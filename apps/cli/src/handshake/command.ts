/** `sourcewire handshake`: exchanges the first datagrams of joining a server. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const handshake = command({
  group: "Query",
  description: "Start to join servers, to read their challenge and authentication protocol",
  examples: {
    "sourcewire handshake 127.0.0.1:27015": "Read the challenge of a server, which creates no connection",
    "sourcewire handshake --form csgo 127.0.0.1:27015": "Send the request in CS:GO's form only",
    "sourcewire handshake --trace 127.0.0.1:27015": "Show the datagrams as well"
  },
  flags,
  load: async () => (await import("./question.ts")).handshake
})
