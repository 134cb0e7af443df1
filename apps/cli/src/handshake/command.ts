/** `sourcewire handshake`: exchanges the datagrams with which a client begins to join a server. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const handshake = command({
  group: "Query",
  description: "Read the challenge and authentication protocol of servers, without joining them",
  examples: {
    "sourcewire handshake 127.0.0.1:27015": "Send the first request of a joining client, and print the reply",
    "sourcewire handshake --form csgo 127.0.0.1:27015": "Send the request in CS:GO's format only",
    "sourcewire handshake --trace 127.0.0.1:27015": "Print the datagrams as well"
  },
  flags,
  load: async () => (await import("./question.ts")).handshake
})
