/**
 * `sourcewire players`: A2S_PLAYER.
 *
 * @module
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const players = Command.make("players", { addresses: options.addresses, ...options.query }, (settings) =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../query/runQueries.ts"), import("../query/questions.ts")])),
    ([{ runQueries }, { players }]) => runQueries(players, settings)
  )
).pipe(
  Command.withDescription("Ask servers who is playing, best first"),
  Command.withExamples([
    { command: `sourcewire players 127.0.0.1:27015`, description: "Who is playing" },
    {
      command: "sourcewire players --json --file servers.txt > answers.ndjson",
      description: "A whole list, for a program to read"
    }
  ])
)
