/** The page of games, docs/reference/games.md. `pnpm generate` renews it. */
import { type Game, findGames, likelyQueryPorts } from "@sourcewire/games"
import { writeFileSync } from "node:fs"
import { readers } from "../../../packages/games/src/facts/readers.ts"
import { SOURCES } from "../../../packages/games/src/Source.ts"
import { markdown } from "../../bench/page.ts"

const page = new URL("../../../docs/reference/games.md", import.meta.url)

const formatIds = ({ aliases, id }: Game): string => [id, ...aliases].map((one) => `\`${one}\``).join(" ")

const formatPort = (game: Game): string => (game.port === null ? "" : String(game.port))

const queryPort = (game: Game): string => {
  const places = game.queryPorts.map((at) =>
    "port" in at ? String(at.port) : at.offset === 0 ? "same" : `${at.offset > 0 ? "+" : "−"}${Math.abs(at.offset)}`
  )
  const [first] = likelyQueryPorts(game)
  return places.length === 0 ? "" : `${places.join(", ")}${first === game.port ? "" : ` (${first})`}`
}

const formatReader = ({ reader }: Game): string =>
  reader === null ? "" : readers[reader].reported === true ? `${reader} ¹` : reader

const formatSources = ({ sources }: Game): string =>
  Object.entries({ port: sources.ports, app: sources.appIds, folder: sources.folders })
    .flatMap(([fact, names]) => (names.length === 0 ? [] : [`${fact}: ${names.join(" + ")}`]))
    .join("; ")

const byName = findGames().toSorted((a, b) => a.name.localeCompare(b.name, "en"))
const asked = byName.filter(({ instead }) => instead === null)
const others = byName.filter(({ instead }) => instead !== null)
const withApp = asked.filter(({ appIds }) => appIds.length > 0)
const read = asked.filter(({ reader }) => reader !== null)
const notes = byName.filter(({ note }) => note !== null)

/** The text of the page. */
export const gamesPage = `# Games

Sourcewire's facts about each game. \`pnpm generate\` writes this page; do not edit it by hand. The records are in [packages/games/src/records](../../packages/games/src/records), the readers of keywords and rules in [packages/games/src/facts](../../packages/games/src/facts).

${asked.length} games answer A2S. The Steam app ids of ${withApp.length} of them are known, and the keywords or rules of ${read.length} are read. For all other games, INFO, PLAYER and RULES mean what the protocol says.

- **Query port**: the ports to query, as a distance from the port that players join or as a port of its own, the likeliest first. Without a port for players, the one in brackets.
- **Counts**: the reply that has the true counts of players.
- **Reader**: the decoder of the game's own keywords and rules. Readers with ¹ rest on the output of other programs; for all other readers, recorded replies of real servers are among the tests.
- **Sources**: all sources that agree with a fact. The ports are compared with the tables of other programs by [a test](../../packages/games/test/records.test.ts), which lists [each difference with its reason](../../packages/games/test/portTables.ts). A port without a source is unconfirmed.

${Object.entries(SOURCES)
  .map(([name, what]) => `- *${name}*: ${what}`)
  .join("\n")}

${markdown([
  ["id", "game", "app ids", "folder", "port", "query port", "counts", "reader", "sources"],
  ...asked.map((game) => [
    formatIds(game),
    game.name,
    game.appIds.join(" "),
    game.folders.join(", "),
    formatPort(game),
    queryPort(game),
    game.counts,
    formatReader(game),
    formatSources(game)
  ])
])}

## Games that do not answer A2S

${markdown([
  ["id", "game", "what it uses instead", "since"],
  ...others.map((game) => [formatIds(game), game.name, game.instead!.protocol, game.instead!.since ?? ""])
])}

## Notes

${notes.map(({ name, note }) => `- **${name}**: ${note}`).join("\n")}
`

if (import.meta.main) writeFileSync(page, gamesPage)
