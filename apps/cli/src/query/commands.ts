/** `sourcewire query`, `info`, `players` and `rules`: A2S_INFO, A2S_PLAYER and A2S_RULES, together and one by one. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"
import type * as Questions from "./questions.ts"
import type { Question } from "./runQueries.ts"

/** A command that asks one of the questions. */
const asking = <A>(
  name: string,
  pick: (questions: typeof Questions) => Question<A>,
  description: string,
  example: { readonly command: string; readonly description: string }
) =>
  command(
    {
      name,
      description,
      examples: [
        example,
        {
          command: `sourcewire ${name} --json --file servers.txt > answers.ndjson`,
          description: "A whole list, for a program to read"
        }
      ],
      flags: options.query
    },
    async () => {
      const questions = await import("./questions.ts")
      return (settings) => questions.runQueries(pick(questions), settings)
    }
  )

/** Everything. */
export const query = asking("query", ({ query }) => query, "Ask servers for everything: info, players and rules", {
  command: "sourcewire query 127.0.0.1:27015",
  description: "Everything about a server"
})

/** A2S_INFO. */
export const info = asking("info", ({ info }) => info, "Ask servers what they are: name, map, players, settings", {
  command: "sourcewire info 127.0.0.1:27016 127.0.0.1",
  description: "Two servers, the second on the default port"
})

/** A2S_PLAYER. */
export const players = asking("players", ({ players }) => players, "Ask servers who is playing, best first", {
  command: "sourcewire players 127.0.0.1:27015",
  description: "Who is playing"
})

/** A2S_RULES. */
export const rules = asking("rules", ({ rules }) => rules, "Ask servers for their public settings", {
  command: `sourcewire rules --json 127.0.0.1:27015 | jq '.rules.rules[] | select(.name == "mp_timelimit")'`,
  description: "One setting of a server"
})
