/** Generates the page docs/reference/games.md. `pnpm generate` runs this program. */
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

export const gamesPage = `# Games

This page lists the games that Sourcewire supports: their ports, their Steam app ids, and the reply with the correct player count. Other games that reply to A2S also work, without these details.

${asked.length} games reply to A2S. For ${withApp.length} of them, the app id is known. For ${read.length} of them, Sourcewire reads the keywords or rules.

- **port**: the port that players join.
- **query port**: the ports to query, the most likely first. \`+1\` is the port that players join plus 1, and \`same\` is this port itself. The number in parentheses is the query port if the server uses the usual port.
- **counts**: the reply that has the correct player count.
- **reader**: the decoder of the game's keywords and rules. A reader with ¹ is tested only with the output of other programs. All other readers are tested with recorded replies of real servers.
- **sources**: the sources that confirm a fact. A port without a source is not confirmed. [A test](../../packages/games/test/records.test.ts) compares the ports with the tables of other programs, and lists [each difference with its reason](../../packages/games/test/portTables.ts).

The sources are:

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

## Games without A2S

${markdown([
  ["id", "game", "protocol", "since"],
  ...others.map((game) => [formatIds(game), game.name, game.instead!.protocol, game.instead!.since ?? ""])
])}

## Notes

${notes.map(({ name, note }) => `- **${name}**: ${note}`).join("\n")}

\`pnpm generate\` writes this page; do not edit it by hand. The records are in [packages/games/src/records](../../packages/games/src/records), and the readers in [packages/games/src/facts](../../packages/games/src/facts).
`

if (import.meta.main) writeFileSync(page, gamesPage)
