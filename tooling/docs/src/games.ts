/**
 * The table of games that Sourcewire knows: printed, or, with `--write`, written to docs/games.md; `--check` fails when that is an old one.
 *
 *     pnpm games [--write | --check]
 */
import { type Game, findGames, queryPortsOf } from "@sourcewire/games"
import { readFileSync, writeFileSync } from "node:fs"
import { readers } from "../../../packages/games/src/facts/readers.ts"
import { SOURCES } from "../../../packages/games/src/Game.ts"
import { markdown } from "../../bench/report.ts"

const page = new URL("../../../docs/games.md", import.meta.url)

const idOf = ({ aliases, id }: Game): string => [id, ...aliases].map((one) => `\`${one}\``).join(" ")

const portOf = (game: Game): string => (game.port === null ? "" : String(game.port))

const queryPort = (game: Game): string => {
  const places = game.queryPorts.map((at) =>
    "port" in at ? String(at.port) : at.offset === 0 ? "same" : `${at.offset > 0 ? "+" : "−"}${Math.abs(at.offset)}`
  )
  return `${places.join(", ")}${queryPortsOf(game)[0] === game.port ? "" : ` (${queryPortsOf(game)[0]})`}`
}

const readerOf = ({ reader }: Game): string =>
  reader === null ? "" : readers[reader].reported === true ? `${reader} ¹` : reader

const sourcesOf = ({ appIds, folders, sources }: Game): string =>
  [
    `ports ${sources.ports}`,
    ...(appIds.length === 0 ? [] : [`app ${sources.appIds}`]),
    ...(folders.length === 0 ? [] : [`folder ${sources.folders}`])
  ].join(", ")

const byName = findGames().toSorted((a, b) => a.name.localeCompare(b.name, "en"))
const asked = byName.filter(({ instead }) => instead === null)
const others = byName.filter(({ instead }) => instead !== null)
const withApp = asked.filter(({ appIds }) => appIds.length > 0)
const read = asked.filter(({ reader }) => reader !== null)
const notes = byName.filter(({ note }) => note !== null)

const text = `# Games

What Sourcewire knows of each game: printed by \`pnpm games\`, never edited by hand. The records stand in [packages/games/src/records](../packages/games/src/records), the readers of keywords and rules in [packages/games/src/facts](../packages/games/src/facts).

${asked.length} games answer A2S; the Steam app ids of ${withApp.length} are known, and the keywords or rules of ${read.length} are read. For every other game, INFO, PLAYER and RULES are what the protocol says.

- **Query port**: where to ask, as so many ports above the one that players join, or a port of its own; the likeliest first.
- **Counts**: where the true counts of players stand.
- **Reader**: what reads the game's own keywords and rules. ¹ rests on what others report; for all others, recorded answers of real servers are among the tests.
- **Sources**: ${Object.entries(SOURCES)
  .map(([name, what]) => `*${name}* is ${what}`)
  .join(", ")}.

${markdown([
  ["id", "game", "app ids", "folder", "port", "query port", "counts", "reader", "sources"],
  ...asked.map((game) => [
    idOf(game),
    game.name,
    game.appIds.join(" "),
    game.folders.join(", "),
    portOf(game),
    queryPort(game),
    game.counts,
    readerOf(game),
    sourcesOf(game)
  ])
])}

## Games that do not answer A2S

${markdown([
  ["id", "game", "what it uses instead", "since"],
  ...others.map((game) => [idOf(game), game.name, game.instead!.protocol, game.instead!.since ?? ""])
])}

## What to know

${notes.map(({ name, note }) => `- **${name}**: ${note}`).join("\n")}
`

if (process.argv.includes("--write")) writeFileSync(page, text)
else if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== text) {
    console.error("docs/games.md: not what the records say; run `pnpm games --write`")
    process.exitCode = 1
  }
} else process.stdout.write(text)
