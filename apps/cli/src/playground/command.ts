/** `sourcewire playground`: the web page and its bridge to game servers. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  json: options.json,
  bind: options.textOr("ADDRESS", "127.0.0.1", "Numeric address to listen on; one that others can reach needs --allow"),
  port: options.count(0, "TCP port to listen on; 0 takes a free one", { least: 0 }),
  allow: options.texts(
    "RANGE|HOST[:PORT]",
    "What the page may ask; may be given more than once. On loopback everything, unless given"
  ),
  rcon: options.on("Offer a console for remote commands on the page", { negatable: true }),
  page: options.text("DIRECTORY", "Serve the page that was built there"),
  noOpen: options.on("Don't open the browser; it is opened only from a terminal in any case", {
    negatable: true
  })
}

export type PlaygroundSettings = options.Settings<typeof flags>

export const playground = command({
  description: "Open a page that decodes and encodes datagrams, and queries game servers",
  examples: {
    "sourcewire playground": "Open it in the browser; Ctrl-C ends it",
    "sourcewire playground --rcon --allow 192.0.2.7:27015": "With a console, and for one server only"
  },
  flags,
  load: async () => (await import("./runPlayground.ts")).runPlayground
})
