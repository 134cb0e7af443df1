/**
 * `sourcewire query`: A2S_INFO, A2S_PLAYER and A2S_RULES.
 *
 * @module
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const query = Command.make("query", { addresses: options.addresses, ...options.query }, (settings) =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../query/runQueries.ts"), import("../query/questions.ts")])),
    ([{ runQueries }, { everything }]) => runQueries(everything, settings)
  )
).pipe(
  Command.withDescription("Ask servers for everything: info, players and rules"),
  Command.withExamples([
    { command: `sourcewire query 127.0.0.1:27015`, description: "Everything about a server" },
    {
      command: "sourcewire query --json --file servers.txt > answers.ndjson",
      description: "A whole list, for a program to read"
    }
  ])
)
