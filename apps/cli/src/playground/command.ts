/** `sourcewire playground`: serves a web page, and a bridge through which the page queries game servers. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const playground = command({
  group: "Develop",
  description: "Open a web page that decodes and encodes datagrams and queries game servers",
  examples: {
    "sourcewire playground": "Open the page in the browser; Ctrl-C stops it",
    "sourcewire playground --rcon --allow 192.0.2.7:27015":
      "Offer an RCON console, and allow queries of one server only"
  },
  flags,
  isDaemon: true,
  load: async () => (await import("./runPlayground.ts")).runPlayground
})
