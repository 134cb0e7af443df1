/** Runs `sourcewire games`: prints a list of games. */
import { type Game, findGames, likelyQueryPorts } from "@sourcewire/games"
import * as Effect from "effect/Effect"
import { Reported } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { safe } from "../output/text.ts"
import type { GamesSettings } from "./flags.ts"

const columns: ReadonlyArray<Column<Game>> = [
  left("id", ({ id }) => id),
  left("game", ({ name }) => name, { flexible: true }),
  right("port", ({ port }) => String(port ?? "")),
  right("query port", (game) => (game.instead === null ? String(likelyQueryPorts(game)[0]) : "no A2S")),
  right("app", ({ appIds }) => String(appIds[0] ?? ""))
]

/** Prints the games. Fails with `Reported` if no game matches. */
export const runGames = Effect.fnUntraced(function* ({ json, text }: GamesSettings) {
  const { err, out } = yield* Output
  const found = findGames(text.join(" "))
  if (json) for (const game of found) yield* out.line(jsonLine(game))
  else if (found.length > 0) yield* out.line(...table(columns, found, out))
  if (found.length > 0) return
  if (!json) yield* err.line(`No game matches "${safe(text.join(" "))}". \`sourcewire games\` lists all games.`)
  return yield* new Reported()
})
