/** `sourcewire playground`: the web page and its bridge to game servers. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as options from "../options.ts"

const flags = {
  json: options.json,
  bind: Flag.String("bind").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDefault("127.0.0.1"),
    Flag.withDescription("Numeric address to listen on; one that others can reach needs --allow")
  ),
  port: options.count("port", {
    least: 0,
    otherwise: 0,
    description: "TCP port to listen on; 0, the default, takes a free one"
  }),
  allow: options.texts(
    "allow",
    "RANGE|HOST[:PORT]",
    "What the page may ask; may be given more than once. On loopback everything, unless given"
  ),
  rcon: Flag.Boolean("rcon").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Offer a console for remote commands on the page")
  ),
  page: options.text("page", "DIRECTORY", "Serve the page that was built there"),
  noOpen: Flag.Boolean("no-open").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Don't open the browser; it is opened only from a terminal in any case")
  )
}

/** What the command line says. */
export type PlaygroundSettings = options.Settings<typeof flags>

/** The command. */
export const playground = Command.make(
  "playground",
  flags,
  options.later(async () => (await import("./runPlayground.ts")).runPlayground)
).pipe(
  Command.withDescription("Open a page that decodes and encodes datagrams, and queries game servers"),
  Command.withExamples([
    { command: "sourcewire playground", description: "Open it in the browser; Ctrl-C ends it" },
    {
      command: "sourcewire playground --rcon --allow 192.0.2.7:27015",
      description: "With a console, and for one server only"
    }
  ])
)
