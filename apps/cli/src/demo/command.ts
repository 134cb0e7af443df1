/** `sourcewire demo`: what `npm start` runs. Not listed in the help, since `query` and `serve` are what it is made of. */
import * as Command from "effect/cli/Command"
import * as options from "../options.ts"

/** The command. */
export const demo = Command.make(
  "demo",
  options.query,
  options.later(async () => (await import("./runDemo.ts")).runDemo)
).pipe(
  Command.withDescription("Start an emulated server and query it over UDP; with addresses, query those"),
  Command.withExamples([
    { command: "sourcewire demo", description: "Nothing but this computer is needed" },
    { command: "sourcewire demo 127.0.0.1:27015", description: "The same as query" }
  ]),
  Command.unlisted
)
