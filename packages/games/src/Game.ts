/**
 * What is known of a game whose servers people ask: how to reach them, how to tell the game, and which reader understands what they say.
 */
import { demand } from "@sourcewire/core/machines"
import type { ReaderName } from "./facts/readers.ts"

/** Where a query goes: so many ports above the game's, or always the same. */
export type QueryPort = { readonly offset: number } | { readonly port: number }

/** Where a fact comes from, see {@link SOURCES}. */
export type Source = keyof typeof SOURCES

/** The sources by the short names that records use. */
export const SOURCES = {
  capture: "a recorded answer of a real server",
  gamedig: "gamedig 5.3.3",
  "rust-gamedig": "rust-gamedig 0.9",
  a2s: "the list of app ids in a2s 0.3, a library for Go",
  gjq: "gjq, a program in Go",
  steam: "the address of the game, or of what it runs on, in the Steam store (no server was seen)",
  valve: "the game's directory, which is what its servers report (no server was seen)",
  report: "what somebody else's program printed of a real server"
} as const

/** What a game has instead of A2S. */
export interface Instead {
  /** The protocol or service, for a sentence: "Epic Online Services". */
  readonly protocol: string
  /** When it left A2S, if it ever had it. */
  readonly since?: string
}

/** A game. Lists are empty, and other fields `null`, where nothing is known. */
export interface Game {
  /** gamedig's id where it has the game. */
  readonly id: string
  readonly name: string
  /** Former ids, and short names under which people know the game. */
  readonly aliases: ReadonlyArray<string>
  /** Steam app ids that servers report, the usual one first. */
  readonly appIds: ReadonlyArray<number>
  /** INFO's `folder`. */
  readonly folders: ReadonlyArray<string>
  /** The port that players join, unless a server has another. */
  readonly port: number | null
  /** Where queries go, the likeliest first. */
  readonly queryPorts: ReadonlyArray<QueryPort>
  /** Which engine's INFO and split replies: the servers of GoldSource may answer in either dialect. */
  readonly dialect: "source" | "goldsource"
  /** Where the true counts of players stand. */
  readonly counts: "info" | "keywords" | "rules"
  /** What reads its keywords and rules. */
  readonly reader: ReaderName | null
  /** The first version of this game, where an older one has the same app id and folder. */
  readonly versionFrom: string | null
  /** What to know about its answers. */
  readonly note: string | null
  /** What it uses instead, for a game that does not answer A2S. */
  readonly instead: Instead | null
  /** Where the facts come from. */
  readonly sources: { readonly appIds: Source; readonly folders: Source; readonly ports: Source }
}

/** A record as it is written down: what is as with most games is left out. */
export interface GameRecord extends Partial<Omit<Game, "id" | "name" | "sources">> {
  readonly name: string
  /** The sources that are not the usual ones; a single one is that of the app ids, and folders are then Valve's. */
  readonly from?: Source | Partial<Game["sources"]>
}

/** The port of most games of Valve's engines, and of many others. */
export const USUAL_PORT = 27015

/** Servers that are asked one port above the game's. */
export const NEXT_PORT = { queryPorts: [{ offset: 1 }] } as const

/** Where most games on Unreal Engine are joined, and asked. */
export const UNREAL_PORTS = { port: 7777, queryPorts: [{ port: 27015 }] } as const

const made = new WeakSet<Game>()

/** Demands a game of this package, or none. */
export const demandGame = (game: Game | undefined): void =>
  void demand("game", "a game, as gameOf gives it", () => game === undefined || made.has(game), game)

/** What games have in common that have nothing in common. */
export const MIXED = {}

/** Games from records by their ids; `common` is what those of one engine have in common. */
export const gamesOf = (
  common: Partial<GameRecord>,
  records: Readonly<Record<string, GameRecord>>
): ReadonlyArray<Game> =>
  Object.entries(records).map(([id, { from, ...record }]) => {
    const game: Game = {
      aliases: [],
      appIds: [],
      folders: [],
      port: USUAL_PORT,
      queryPorts: [{ offset: 0 }],
      dialect: "source",
      counts: "info",
      reader: null,
      versionFrom: null,
      note: null,
      instead: null,
      ...common,
      id,
      ...record,
      sources: {
        appIds: "capture",
        folders: typeof from === "string" && record.folders !== undefined ? "valve" : "capture",
        ports: "gamedig",
        ...(typeof from === "string" ? { appIds: from } : from)
      }
    }
    made.add(game)
    return game
  })

/** Where to ask a server of a game that is joined at `port`, or at the usual one; the likeliest first, each once. */
export const queryPortsOf = (game: Game, port?: number): ReadonlyArray<number> => {
  demand("game", "a game, as gameOf gives it", () => made.has(game), game)
  demand("port", "a port", () => port === undefined || (Number.isInteger(port) && port > 0 && port < 65_536), port)
  const joined = port ?? game.port ?? USUAL_PORT
  const ports = game.queryPorts.map((at) => ("port" in at ? at.port : joined + at.offset))
  // What is given may be the query port itself.
  if (port !== undefined) ports.push(port)
  return [...new Set(ports)].filter((one) => one > 0 && one < 65_536)
}
