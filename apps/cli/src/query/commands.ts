/**
 * Declares four commands. `query` sends A2S_INFO, A2S_PLAYER and A2S_RULES. `info` sends only A2S_INFO, `players` only A2S_PLAYER, and
 * `rules` only A2S_RULES.
 */
import { type Run, command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const listExample = (name: string) => ({
  [`sourcewire ${name} --json --file servers.txt > answers.ndjson`]: "Query a list of servers, and print JSON"
})

const queryCommandFor = (
  name: string,
  description: string,
  example: Readonly<Record<string, string>>,
  load: () => Promise<Run<options.Settings<typeof options.gameQueryFlags>>>
) =>
  command({
    group: "Query",
    description,
    examples: { ...example, ...listExample(name) },
    flags: options.gameQueryFlags,
    load
  })

export const query = command({
  group: "Query",
  description: "Query servers for everything: info, players and rules",
  examples: {
    "sourcewire query 127.0.0.1:27015": "Query a server",
    "sourcewire query 127.0.0.1:27015 --explain": "Explain what the server replied, or why it did not reply",
    "sourcewire query 127.0.0.1:27015 --rcon --password-file rcon.txt":
      "Add the players' SteamIDs and pings from the server's console",
    ...listExample("query")
  },
  flags: {
    ...options.gameQueryFlags,
    allRules: options.on("List all rules, including those that are shown as settings of the game"),
    verdict: options.verdict,
    explain: options.on(
      "Explain each query after its result: findings with severity, hint and bytes, as in `decode --explain`"
    ),
    rcon: options.on("Add the names, SteamIDs and pings of players from the server's console (`status` over RCON)"),
    passwordFile: options.text("FILE", "File with the password for --rcon", {
      defaultText: "SOURCEWIRE_RCON_PASSWORD"
    })
  },
  load: async () => (await import("./everything.ts")).query
})

export const info = queryCommandFor(
  "info",
  "Query servers for their name, map, player count and settings",
  { "sourcewire info 127.0.0.1:27016 127.0.0.1": "Query two servers, the second on the default port" },
  async () => (await import("./runQueries.ts")).info
)

export const players = queryCommandFor(
  "players",
  "Query servers for their players, sorted by score",
  { "sourcewire players 127.0.0.1:27015": "List the players of a server" },
  async () => (await import("./lists.ts")).players
)

export const rules = command({
  group: "Query",
  description: "Query servers for their public settings (rules), sorted by name",
  examples: {
    "sourcewire rules 127.0.0.1:27015 --grep mp_": "List the settings whose name or value contains mp_",
    [`sourcewire rules --json 127.0.0.1:27015 | jq '.rules.rules[] | select(.name == "mp_timelimit")'`]:
      "Print one setting"
  },
  flags: {
    ...options.gameQueryFlags,
    grep: options.text("TEXT", "Show only settings with TEXT in their name or value; ignores case")
  },
  load: async () => (await import("./lists.ts")).rules
})
