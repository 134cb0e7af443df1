/** `query --rcon`: reads the players from the server's console, and adds details that A2S replies do not contain, such as SteamIDs. */
import type { ServerAnswer } from "@sourcewire/core"
import { type RosterEntry, mergeRoster } from "@sourcewire/core/text"
import { type NoPlayerList, consoleStatus } from "@sourcewire/monitor/console"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RconConnectError } from "@sourcewire/core/rcon"
import { UsageError } from "../exitCode.ts"
import { errorJson } from "../output/json.ts"
import { type Column, left, right, table } from "../output/table.ts"
import { inColours } from "../output/text.ts"
import { PASSWORD_VARIABLE, environmentPassword, readPasswordFile } from "../rcon/password.ts"
import { remark } from "../view/card.ts"
import { duration, plural } from "../view/quantities.ts"
import type { QueryCommandSettings, Question } from "./runQueries.ts"

/** The A2S replies of a server, and the result of the console query: the players, or the error. */
interface Answer extends ServerAnswer {
  readonly console: Result.Result<Listed, RconConnectError | NoPlayerList>
}

interface Listed {
  readonly roster: ReadonlyArray<RosterEntry>
  readonly unread: ReadonlyArray<string>
}

const shown = (value: number | string | undefined): string => (value === undefined ? "" : String(value))

const COLUMNS: ReadonlyArray<Column<RosterEntry>> = [
  left("Player", ({ name }, palette) => inColours(name, palette), { flexible: true }),
  right("Score", ({ score }) => shown(score)),
  right("Time", ({ connectedSeconds }) => (connectedSeconds === undefined ? "" : duration(connectedSeconds))),
  right("Ping", ({ ping }) => shown(ping)),
  left("SteamID", ({ isBot, steamId }) => shown(steamId ?? (isBot === true ? "bot" : undefined)))
]

const SOURCES = [
  ["rcon", "From the console"],
  ["a2s", "From A2S"]
] as const

const COLUMN_VALUES = [
  ["name", "player"],
  ["score", "score"],
  ["connectedSeconds", "time"],
  ["ping", "ping"],
  ["steamId", "SteamID"]
] as const

/** Describes the sources of the table's values, for example: `From the console: ping, SteamID. From A2S: player, score, time.` */
const describeSources = (roster: ReadonlyArray<RosterEntry>): string =>
  SOURCES.flatMap(([source, title]) => {
    const columns = COLUMN_VALUES.filter(([key]) => roster.some(({ sources }) => sources[key] === source))
    return columns.length === 0 ? [] : [`${title}: ${columns.map(([, column]) => column).join(", ")}.`]
  }).join(" ")

/** Extends a query: the returned query also runs `status` on the server's console. */
export const withConsole = Effect.fnUntraced(function* (
  { run, json, view, ...asked }: Question<ServerAnswer>,
  { passwordFile }: QueryCommandSettings
) {
  const password = passwordFile === undefined ? environmentPassword() : yield* readPasswordFile(passwordFile)
  if (password === undefined) {
    return yield* new UsageError(`There is no RCON password. Use --password-file FILE, or set ${PASSWORD_VARIABLE}.`)
  }
  const question: Question<Answer> = {
    ...asked,
    run: Effect.fnUntraced(function* (client, target, options) {
      const answer = yield* run(client, target, options)
      const { encoding, timeoutMs } = options
      const result = yield* Effect.result(
        Effect.provide(consoleStatus(target.name, { password, timeoutMs, encoding }), layer)
      )
      const console = Result.map(result, ({ status }) => ({
        roster: mergeRoster(answer.players, status),
        unread: status.unread
      }))
      return { ...answer, console }
    }),
    json: ({ console, ...answer }, target) => {
      const fields = json(answer, target)
      if (Result.isSuccess(console)) return { ...fields, ...console.success }
      const errors = { ...(fields["errors"] as object | undefined), rcon: errorJson(console.failure) }
      return { ...fields, errors }
    },
    view: async ({ console, ...answer }, target, canvas, settings) => {
      if (Result.isFailure(console)) {
        const lines = await view(answer, target, canvas, settings)
        return [...lines, ...remark(`No players from the console: ${console.failure.message}`, canvas)]
      }
      const { players: _, ...others } = answer
      const { roster, unread } = console.success
      return [
        ...(await view(others, target, canvas, settings)),
        "",
        ...(roster.length === 0
          ? [`  ${canvas.palette.faint("No players.")}`]
          : [...table(COLUMNS, roster, canvas, "  "), `  ${canvas.palette.faint(describeSources(roster))}`]),
        ...(unread.length === 0
          ? []
          : remark(
              `${plural(unread.length, "line")} of the console's \`status\` could not be read; --json shows them.`,
              canvas
            ))
      ]
    }
  }
  return question
})
