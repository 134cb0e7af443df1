/**
 * Summarizes the replies of a server. If a game reports more accurate values in keywords or rules, the summary contains these values
 * instead of the values in INFO. A summary contains only JSON types, and has the same fields for every game.
 */
import { type AddressInput, formatAddress } from "@sourcewire/core"
import { toAddress } from "@sourcewire/core/address"
import { demand } from "@sourcewire/inside/values"
import * as Result from "effect/Result"
import { type GameReplies, demandReplies } from "./edge.ts"
import type { FactValue, Mod } from "./facts/declaration.ts"
import { splitKeywords, readFacts, readsVersion } from "./facts/facts.ts"
import { identify } from "./find.ts"
import { type Game, demandGame } from "./Game.ts"

/** A summary of a server. A field that the server does not report is `null`. */
export interface Summary {
  /** Id of the game, if the game is known. */
  readonly gameId: string | null
  /** Name of the game. If the game is unknown, this is the name that the server reports for the game. */
  readonly game: string
  readonly name: string
  readonly map: string
  readonly mode: string | null
  /**
   * Number of players on the server, including bots. If the game reports the true number in keywords or rules, the summary contains this
   * number. Otherwise, the number is from INFO, or from the player list if INFO's one-byte count is too small.
   */
  readonly players: number
  readonly bots: number
  /** Number of players, excluding bots. */
  readonly humans: number
  /** Number of players who wait to join. */
  readonly queue: number | null
  readonly maxPlayers: number
  /** The keywords. If the game truncates its keywords, an incomplete last keyword is omitted. */
  readonly tags: ReadonlyArray<string>
  readonly mods: ReadonlyArray<Mod> | null
  /** Version of the game. */
  readonly version: string | null
  /** Whether players need a password. */
  readonly password: boolean
  /** Whether Valve Anti-Cheat is on. */
  readonly secure: boolean
  /**
   * Link that joins the server, for example `steam://connect/192.0.2.7:27015`. The link contains the game port from INFO. If INFO contains
   * no game port, the link contains the port that was queried.
   */
  readonly connect: string
}

/**
 * Names of the facts that a {@link Summary} also contains, except `mods`. If you show a summary and facts together, omit the facts with
 * these names.
 */
export const SUMMARY_FACTS: ReadonlySet<string> = new Set([
  "players",
  "maxPlayers",
  "queue",
  "name",
  "map",
  "mode",
  "version",
  "password"
])

/**
 * The largest player count that INFO can report, because INFO stores the count in one byte. If a server has more players, the count wraps
 * or stays at 255. Therefore the summary contains the length of the player list if the list has at least 255 players and is longer than
 * INFO's count. Otherwise, the summary contains INFO's count, because the list can be outdated or contain placeholders.
 */
const FULL_BYTE = 255

const counted = ({ info, players }: GameReplies): number => {
  const listed = players?.players.length ?? 0
  return listed < FULL_BYTE ? info.players : Math.max(listed, info.players)
}

const asNumber = (value: FactValue | undefined): number | null => (typeof value === "number" ? value : null)
const asText = (value: FactValue | undefined): string | null => (typeof value === "string" ? value : null)
const asMods = (value: FactValue | undefined): ReadonlyArray<Mod> | null =>
  Array.isArray(value) && value.every((one) => typeof one === "object") ? value : null

/** The version that many engines report if the game does not set a version. */
const NO_VERSION = "1.0.0.0"

/**
 * Returns INFO's version. Returns `null` if INFO has no version, or if the version is a placeholder and the game reports its version in
 * keywords or rules.
 */
const infoVersion = (info: GameReplies["info"], game: Game | undefined): string | null => {
  if (info._tag !== "InfoReply" || info.version === "") return null
  return info.version === NO_VERSION && readsVersion(game) ? null : info.version
}

/**
 * Summarizes the replies of a server, as a client's `query` or a scan returns them. If you pass `game`, the function uses this game
 * instead of the game that INFO identifies. Throws `InvalidOption` if an argument has the wrong type.
 */
export const summary = (address: AddressInput, answer: GameReplies, game?: Game): Summary => {
  const parsed = toAddress(address)
  demand("address", "an address", () => Result.isSuccess(parsed), address)
  demandReplies(answer)
  demandGame(game)
  const { host, port } = Result.getOrThrow(parsed)
  const { info } = answer
  const known = game ?? identify(info)
  const facts = new Map(Object.entries(readFacts(known, answer).values))
  const counts = known === undefined || known.counts === "info" ? undefined : facts
  const players = asNumber(counts?.get("players")) ?? counted(answer)
  const bots = Math.min(info.bots ?? 0, players)
  const source = info._tag === "InfoReply" ? info : undefined
  const gamePort = source?.port !== undefined && source.port > 0 ? source.port : port
  return {
    gameId: known?.id ?? null,
    game: known?.name ?? info.game,
    name: asText(facts.get("name")) ?? info.name,
    map: asText(facts.get("map")) ?? info.map,
    mode: asText(facts.get("mode")),
    players,
    bots,
    humans: players - bots,
    queue: asNumber(facts.get("queue")),
    maxPlayers: asNumber(counts?.get("maxPlayers")) ?? info.maxPlayers,
    tags: splitKeywords(known, info).complete,
    mods: asMods(facts.get("mods")),
    version: asText(facts.get("version")) ?? infoVersion(info, known),
    password: info.passwordProtected || facts.get("password") === true,
    secure: info.vac,
    connect: `steam://connect/${formatAddress({ host, port: gamePort })}`
  }
}
