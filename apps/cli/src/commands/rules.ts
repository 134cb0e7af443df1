/**
 * `sourcewire rules`: A2S_RULES.
 *
 * @module
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const rules = Command.make("rules", { addresses: options.addresses, ...options.query }, (settings) =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../query/runQueries.ts"), import("../query/questions.ts")])),
    ([{ runQueries }, { rules }]) => runQueries(rules, settings)
  )
).pipe(
  Command.withDescription("Ask servers for their public settings"),
  Command.withExamples([
    {
      command: `sourcewire rules --json 127.0.0.1:27015 | jq '.rules.rules[] | select(.name == "mp_timelimit")'`,
      description: "One setting of a server"
    },
    {
      command: "sourcewire rules --json --file servers.txt > answers.ndjson",
      description: "A whole list, for a program to read"
    }
  ])
)
