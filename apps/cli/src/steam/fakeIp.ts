/**
 * Requests data about servers behind Steam's relays. Such a server has a FakeIP (an address in 169.254.0.0/16), at which it does not reply
 * to queries over UDP. Therefore the data is requested from Steam's Web API (`IGameServersService/QueryByFakeIP`).
 */
import type { PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { UsageError } from "../exitCode.ts"
import type { Target } from "../query/target.ts"
import { SteamFailed, requestSteam } from "./api.ts"

const PATH = "/IGameServersService/QueryByFakeIP/v1/"

/** Steam's data about a server. It contains only some fields of INFO. If Steam does not send a field, the field is absent. */
export interface SteamInfo {
  readonly name?: string
  readonly map?: string
  readonly folder?: string
  readonly game?: string
  readonly appId?: number
  readonly players?: number
  readonly maxPlayers?: number
  readonly bots?: number
  readonly passwordProtected?: boolean
  readonly vac?: boolean
  readonly version?: string
  readonly keywords?: string
  readonly steamId?: string
}

type Part = "info" | "players" | "rules"

/**
 * The data of a server that Steam sends in place of the server's replies to INFO, PLAYER and RULES. A part is absent if it was not
 * requested, or if Steam did not send it.
 */
export interface SteamAnswer {
  readonly info?: SteamInfo
  readonly players?: PlayersReply
  readonly rules?: RulesReply
}

const TYPES: Readonly<Record<Part, string>> = { info: "1", players: "2", rules: "3" }

type Fields = Readonly<Record<string, unknown>>

const toFields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})
const toRows = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.map(toFields) : [])

/**
 * Renames the fields of a reply, and drops fields whose values do not have the expected type. Absent fields are not an error, because Steam
 * omits fields whose value is 0 or false.
 */
const named = (fields: Fields, names: Readonly<Record<string, readonly [string, string]>>): SteamInfo =>
  Object.fromEntries(
    Object.entries(names).flatMap(([key, [name, type]]) => (typeof fields[name] === type ? [[key, fields[name]]] : []))
  )

const decodeInfo = (fields: Fields): SteamInfo =>
  named(fields, {
    name: ["server_name", "string"],
    map: ["map", "string"],
    folder: ["gamedir", "string"],
    game: ["game_description", "string"],
    appId: ["app_id", "number"],
    players: ["num_players", "number"],
    maxPlayers: ["max_players", "number"],
    bots: ["bot_count", "number"],
    passwordProtected: ["password", "boolean"],
    vac: ["secure", "boolean"],
    version: ["version", "string"],
    keywords: ["gametype", "string"],
    steamId: ["steamid", "string"]
  })

const decodePlayers = (fields: Fields): PlayersReply => {
  const players = toRows(fields["players"]).map(({ name, score, time_played: time }) => ({
    index: 0,
    name: typeof name === "string" ? name : "",
    score: typeof score === "number" ? score : 0,
    duration: typeof time === "number" ? time : 0
  }))
  return { _tag: "PlayersReply", announced: players.length, players, truncated: false }
}

const decodeRules = (fields: Fields): RulesReply => {
  const rules = toRows(fields["rules"]).flatMap(({ rule, value }) =>
    typeof rule === "string" ? [{ name: rule, value: typeof value === "string" ? value : "" }] : []
  )
  return { _tag: "RulesReply", announced: rules.length, rules, truncated: false }
}

/** Converts an IPv4 address to an unsigned number. Steam requires addresses in this form. */
const toNumber = (host: string): number => host.split(".").reduce((number, part) => number * 256 + Number(part), 0)

/** Requests Steam's data about a server behind Steam's relays, with one request for each part in `parts`. */
export const queryByFakeIp = Effect.fnUntraced(function* (
  { address: { host, port }, game, name }: Target,
  parts: ReadonlyArray<Part>,
  key: Redacted.Redacted<string>,
  timeoutMs: number
) {
  const appId = game?.appIds[0]
  if (appId === undefined) {
    return yield* new UsageError(
      `A FakeIP is unique only within a game: set the game of ${name} with --game, as in --game tf2. \`sourcewire games\` lists the games.`
    )
  }
  const request = (part: Part) =>
    requestSteam(
      PATH,
      { fake_ip: String(toNumber(host)), fake_port: String(port), app_id: String(appId), query_type: TYPES[part] },
      timeoutMs,
      key
    )
  const answer: { -readonly [K in keyof SteamAnswer]: SteamAnswer[K] } = {}
  for (const part of parts) {
    const response = yield* request(part)
    const [ping, players, rules] = [response["ping_data"], response["players_data"], response["rules_data"]]
    if (part === "info" && ping !== undefined) answer.info = decodeInfo(toFields(ping))
    if (part === "players" && players !== undefined) answer.players = decodePlayers(toFields(players))
    if (part === "rules" && rules !== undefined) answer.rules = decodeRules(toFields(rules))
    if (answer[part] === undefined && part === parts[0]) {
      const message = `No server of app ${appId} is registered with Steam at ${name}. The address changes when the server restarts.`
      return yield* new SteamFailed({ message, status: 200 })
    }
  }
  return answer as SteamAnswer
})
