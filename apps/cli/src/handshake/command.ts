/** `sourcewire handshake`: the first datagrams of joining a server. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

export const handshake = command({
  description: "Begin to join servers, far enough to learn their challenge and how they authenticate users",
  examples: {
    "sourcewire handshake 127.0.0.1:27015": "One server; it keeps no connection for it",
    "sourcewire handshake --trace 127.0.0.1:27015": "The same, with the datagrams"
  },
  flags: options.query,
  load: async () => (await import("./question.ts")).handshake
})
