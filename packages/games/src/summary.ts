/**
 * What a status page shows of a server, right for its game: an object of JSON's types, with the same fields for every game.
 */
import { type AddressInput, formatAddress } from "@sourcewire/core"
import { addressOf, demand } from "@sourcewire/core/machines"
import * as Result from "effect/Result"
import { type Said, demandSaid } from "./edge.ts"
import type { FactValue, Mod } from "./facts/declaration.ts"
import { keywordsOf, readFacts } from "./facts/facts.ts"
import { identify } from "./find.ts"
import { type Game, demandGame } from "./Game.ts"

/** A server at a glance. What the server does not say is `null`. */
export interface Summary {
  /** Id of the game, where it is known. */
  readonly gameId: string | null
  /** Name of the game, or what the server calls it. */
  readonly game: string
  readonly name: string
  readonly map: string
  readonly mode: string | null
  /** Everybody on the server, by what is true for its game. */
  readonly players: number
  readonly bots: number
  /** Players that are no bots. */
  readonly humans: number
  /** Players who wait to join. */
  readonly queue: number | null
  readonly maxPlayers: number
  readonly tags: ReadonlyArray<string>
  readonly mods: ReadonlyArray<Mod> | null
  readonly version: string | null
  /** Whether joining takes a password. */
  readonly password: boolean
  /** Whether Valve Anti-Cheat is on. */
  readonly secure: boolean
  /** Joins the game, as in `steam://connect/192.0.2.7:27015`: the port is the one that INFO names, else the one that was asked. */
  readonly connect: string
}

/** INFO's count is a byte: it runs over, or stays, where there are as many. A shorter list may have ghosts, and placeholders for names. */
const FULL_BYTE = 255

const counted = ({ info, players }: Said): number => {
  const listed = players?.players.length ?? 0
  return listed < FULL_BYTE ? info.players : Math.max(listed, info.players)
}

const numberOf = (value: FactValue | undefined): number | null => (typeof value === "number" ? value : null)
const textOf = (value: FactValue | undefined): string | null => (typeof value === "string" ? value : null)
const modsOf = (value: FactValue | undefined): ReadonlyArray<Mod> | null =>
  Array.isArray(value) && value.every((one) => typeof one === "object") ? value : null

/**
 * Sums up what a client's `query`, or a scan, gave of the server at this address; `game` where it is known better than the server tells.
 * Throws `InvalidOption` for what is no answer.
 */
export const summary = (address: AddressInput, answer: Said, game?: Game): Summary => {
  const asked = addressOf(address)
  demand("address", "an address", () => Result.isSuccess(asked), address)
  demandSaid(answer)
  demandGame(game)
  const { host, port } = Result.getOrThrow(asked)
  const { info } = answer
  const known = game ?? identify(info)
  const said = new Map(Object.entries(readFacts(known, answer).values))
  const counts = known === undefined || known.counts === "info" ? undefined : said
  const players = numberOf(counts?.get("players")) ?? counted(answer)
  const bots = Math.min(info.bots ?? 0, players)
  const source = info._tag === "InfoReply" ? info : undefined
  const gamePort = source?.port !== undefined && source.port > 0 ? source.port : port
  return {
    gameId: known?.id ?? null,
    game: known?.name ?? info.game,
    name: textOf(said.get("name")) ?? info.name,
    map: textOf(said.get("map")) ?? info.map,
    mode: textOf(said.get("mode")),
    players,
    bots,
    humans: players - bots,
    queue: numberOf(said.get("queue")),
    maxPlayers: numberOf(counts?.get("maxPlayers")) ?? info.maxPlayers,
    tags: keywordsOf(known, info),
    mods: modsOf(said.get("mods")),
    version: textOf(said.get("version")) ?? (source === undefined || source.version === "" ? null : source.version),
    password: info.passwordProtected || said.get("password") === true,
    secure: info.vac,
    connect: `steam://connect/${formatAddress({ host, port: gamePort })}`
  }
}
