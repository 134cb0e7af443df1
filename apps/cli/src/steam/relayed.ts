/** Prints the data that Steam's Web API returns about servers behind Steam's relays. The output has the form of query results. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { jsonLine } from "../output/json.ts"
import { Output } from "../output/output.ts"
import { safe, uncoloured } from "../output/text.ts"
import type { QuerySettings } from "../options.ts"
import type { Target } from "../query/target.ts"
import { type CardLine, body, heading } from "../view/card.ts"
import { printFailure } from "../view/failureLine.ts"
import { playersTable, rulesList } from "../view/lists.ts"
import { plural } from "../view/quantities.ts"
import type { Canvas } from "../output/output.ts"
import { KEY_VARIABLE, steamKey } from "./api.ts"
import { type SteamAnswer, type SteamInfo, queryByFakeIp } from "./fakeIp.ts"

const line = (label: string, text: string | undefined): ReadonlyArray<CardLine> =>
  text === undefined || text === "" ? [] : [{ label, text: uncoloured(text) }]

const infoLines = ({
  bots = 0,
  game,
  map,
  maxPlayers = 0,
  players = 0,
  version
}: SteamInfo): ReadonlyArray<CardLine> => [
  ...line("Game", game),
  ...line("Map", map),
  ...line("Players", `${players}/${maxPlayers}${bots > 0 ? ` (${plural(bots, "bot")})` : ""}`),
  ...line("Version", version)
]

const view = (target: Target, { info, players, rules }: SteamAnswer, canvas: Canvas): ReadonlyArray<string> => [
  heading(safe(info?.name ?? target.name), `${target.name} · from Steam`, canvas),
  ...(info === undefined ? [] : body(infoLines(info), canvas)),
  ...(players === undefined ? [] : ["", ...playersTable(players, canvas)]),
  ...(rules === undefined ? [] : ["", ...rulesList(rules, canvas)])
]

/** Prints Steam's data about a server behind Steam's relays. Returns `true` if the request failed, or if the user gave no key. */
export const printRelayed = Effect.fnUntraced(function* (
  target: Target,
  parts: ReadonlyArray<"info" | "players" | "rules">,
  settings: Pick<QuerySettings, "json" | "timeout"> & { readonly steamKeyFile?: string | undefined }
) {
  const { out } = yield* Output
  const key = yield* steamKey(settings.steamKeyFile)
  if (key === undefined) {
    const advice = `To query it through Steam's Web API, use --steam-key-file FILE, or set ${KEY_VARIABLE}.`
    yield* printFailure(target.name, target.notQueryable!, settings.json, advice)
    return true
  }
  const result = yield* queryByFakeIp(target, parts, key, settings.timeout).pipe(
    Effect.catchTag("UsageError", Effect.fail),
    Effect.map(Result.succeed),
    Effect.catchTag("SteamFailed", (error) => Effect.succeed(Result.fail(error)))
  )
  if (Result.isFailure(result)) {
    const { _tag, message, status } = result.failure
    yield* printFailure(target.name, { _tag, message, ...(status === undefined ? {} : { status }) }, settings.json, "")
    return true
  }
  const json = { address: target.name, ok: true, source: "steam", ...result.success }
  yield* out.line(...(settings.json ? [jsonLine(json)] : [...view(target, result.success, out), ""]))
  return false
})
