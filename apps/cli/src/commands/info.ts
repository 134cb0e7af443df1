/**
 * `sourcewire info`: A2S_INFO.
 *
 * @module
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const info = Command.make("info", { addresses: options.addresses, ...options.query }, (settings) =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../query/runQueries.ts"), import("../query/questions.ts")])),
    ([{ runQueries }, { info }]) => runQueries(info, settings)
  )
).pipe(
  Command.withDescription("Ask servers what they are: name, map, players, settings"),
  Command.withExamples([
    {
      command: `sourcewire info 127.0.0.1:27016 127.0.0.1`,
      description: "Two servers, the second on the default port"
    },
    {
      command: "sourcewire info --json --file servers.txt > answers.ndjson",
      description: "A whole list, for a program to read"
    }
  ])
)
