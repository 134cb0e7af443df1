/** `sourcewire query`, `info`, `players` and `rules`: A2S_INFO, A2S_PLAYER and A2S_RULES, together and one by one. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"
import type { Question, runQueries } from "./runQueries.ts"

/** A command that asks one of the questions. */
const asking = <A>(
  name: string,
  load: () => Promise<{ readonly question: Question<A>; readonly runQueries: typeof runQueries }>,
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
      flags: options.queryOfGame
    },
    async () => {
      const { question, runQueries } = await load()
      return (settings) => runQueries(question, settings)
    }
  )

/** Everything. */
export const query = asking(
  "query",
  async () => {
    const { query: question, runQueries } = await import("./everything.ts")
    return { question, runQueries }
  },
  "Ask servers for everything: info, players and rules",
  {
    command: "sourcewire query 127.0.0.1:27015",
    description: "Everything about a server"
  }
)

/** A2S_INFO. */
export const info = asking(
  "info",
  async () => {
    const { info: question, runQueries } = await import("./questions.ts")
    return { question, runQueries }
  },
  "Ask servers what they are: name, map, players, settings",
  {
    command: "sourcewire info 127.0.0.1:27016 127.0.0.1",
    description: "Two servers, the second on the default port"
  }
)

/** A2S_PLAYER. */
export const players = asking(
  "players",
  async () => {
    const { players: question, runQueries } = await import("./questions.ts")
    return { question, runQueries }
  },
  "Ask servers who is playing, best first",
  {
    command: "sourcewire players 127.0.0.1:27015",
    description: "Who is playing"
  }
)

/** A2S_RULES. */
export const rules = command(
  {
    name: "rules",
    description: "Ask servers for their public settings, sorted by name",
    examples: [
      { command: "sourcewire rules 127.0.0.1:27015 --grep mp_", description: "Some settings of a server" },
      {
        command: `sourcewire rules --json 127.0.0.1:27015 | jq '.rules.rules[] | select(.name == "mp_timelimit")'`,
        description: "One setting, for a program to read"
      }
    ],
    flags: {
      ...options.queryOfGame,
      grep: options.text("grep", "TEXT", "Show only settings with TEXT in their name or value, whatever its case")
    }
  },
  async () => {
    const { rules: question, runQueries } = await import("./questions.ts")
    return (settings) => runQueries(question(settings.grep ?? ""), settings)
  }
)
