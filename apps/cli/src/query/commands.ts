/** `sourcewire query`, `info`, `players` and `rules`: A2S_INFO, A2S_PLAYER and A2S_RULES, together and one by one. */
import { type Run, command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const asking = (
  name: string,
  description: string,
  example: Readonly<Record<string, string>>,
  load: () => Promise<Run<options.Settings<typeof options.queryOfGame>>>
) => {
  const list = {
    [`sourcewire ${name} --json --file servers.txt > answers.ndjson`]: "A whole list, for a program to read"
  }
  return command({ description, examples: { ...example, ...list }, flags: options.queryOfGame, load })
}

export const query = asking(
  "query",
  "Ask servers for everything: info, players and rules",
  { "sourcewire query 127.0.0.1:27015": "Everything about a server" },
  async () => (await import("./everything.ts")).query
)

export const info = asking(
  "info",
  "Ask servers what they are: name, map, players, settings",
  { "sourcewire info 127.0.0.1:27016 127.0.0.1": "Two servers, the second on the default port" },
  async () => (await import("./runQueries.ts")).info
)

export const players = asking(
  "players",
  "Ask servers who is playing, best first",
  { "sourcewire players 127.0.0.1:27015": "Who is playing" },
  async () => (await import("./lists.ts")).players
)

export const rules = command({
  description: "Ask servers for their public settings, sorted by name",
  examples: {
    "sourcewire rules 127.0.0.1:27015 --grep mp_": "Some settings of a server",
    [`sourcewire rules --json 127.0.0.1:27015 | jq '.rules.rules[] | select(.name == "mp_timelimit")'`]:
      "One setting, for a program to read"
  },
  flags: {
    ...options.queryOfGame,
    grep: options.text("TEXT", "Show only settings with TEXT in their name or value, whatever its case")
  },
  load: async () => (await import("./lists.ts")).rules
})
