/**
 * The facts about a game: its ports and app ids, and the reader of its keywords and rules.
 */
import { demand } from "@sourcewire/inside/values"
import { findPortSources } from "./records/portSources.ts"
import type { ReaderName } from "./facts/readers.ts"
import type { Source } from "./Source.ts"

/** A query port: an offset from the game port, or a fixed port that is the same for all servers. */
export type QueryPort = { readonly offset: number } | { readonly port: number }

/** The protocol that a game uses, if it does not support A2S. */
export interface Instead {
  /** Name of the protocol or service, for example "Epic Online Services". The name must fit into a sentence. */
  readonly protocol: string
  /** The version or date since which the game no longer supports A2S; absent if the game never supported A2S. */
  readonly since?: string
}

/** A game. If a fact is not known, its field is an empty list or `null`. */
export interface Game {
  /** The id of the game. If gamedig supports the game, this id is the id in gamedig. */
  readonly id: string
  readonly name: string
  /** Former ids, and short names of the game. */
  readonly aliases: ReadonlyArray<string>
  /** Steam app ids that servers report, the usual id first. */
  readonly appIds: ReadonlyArray<number>
  /** Values of `folder` in the game's INFO replies. */
  readonly folders: ReadonlyArray<string>
  /** The port that players join by default. */
  readonly port: number | null
  /** Query ports, the likeliest first. */
  readonly queryPorts: ReadonlyArray<QueryPort>
  /**
   * The engine that defines the format of the game's INFO and split replies. GoldSource servers may also send INFO in the dialect of
   * Source.
   */
  readonly dialect: "source" | "goldsource"
  /** The source of the true player counts: the counts in INFO, the keywords in INFO, or the rules. */
  readonly counts: "info" | "keywords" | "rules"
  /** The reader of the game's keywords and rules; `null` if the game has no reader. */
  readonly reader: ReaderName | null
  /** The first version that belongs to this game, if an older game has the same app id and folder; otherwise `null`. */
  readonly versionFrom: string | null
  /** A remark about the game's replies. */
  readonly note: string | null
  /** The protocol that the game uses, if it does not support A2S. */
  readonly instead: Instead | null
  /** For each kind of fact, all sources that confirm it. If a list is empty, the facts of this kind are unconfirmed or missing. */
  readonly sources: {
    readonly appIds: ReadonlyArray<Source>
    readonly folders: ReadonlyArray<Source>
    readonly ports: ReadonlyArray<Source>
  }
}

/** The declaration of a game. Facts that several games share can be in the parameter `common` of {@link buildGames} instead. */
export interface GameRecord extends Partial<Omit<Game, "id" | "name" | "sources">> {
  readonly name: string
  /**
   * The sources of the app ids and the folders (default: `capture`). If `from` is a single source, it is the source of the app ids, and
   * `valve` is the source of the folders.
   */
  readonly from?: Source | Partial<Record<"appIds" | "folders", Source | ReadonlyArray<Source>>>
}

/** The default game port: the port of most games on Valve's engines, and of many games on other engines. */
export const DEFAULT_PORT = 27015

/** The fields of games whose query port is the game port + 1. */
export const NEXT_PORT = { queryPorts: [{ offset: 1 }] } as const

/** The game port and query port of most games on Unreal Engine. */
export const UNREAL_PORTS = { port: 7777, queryPorts: [{ port: 27015 }] } as const

const made = new WeakSet<Game>()

/** Throws an error if the value is neither a game of this package nor `undefined`. */
export const demandGame = (game: Game | undefined): void =>
  void demand("game", "a game, as findGame returns it", () => game === undefined || made.has(game), game)

/** The parameter `common` of {@link buildGames} for games that have no facts in common. */
export const MIXED = {}

const collectSources = (
  facts: ReadonlyArray<unknown> | undefined,
  from: Source | ReadonlyArray<Source> = "capture"
): ReadonlyArray<Source> => (facts === undefined ? [] : typeof from === "string" ? [from] : from)

/**
 * Builds games from their declarations. The keys of `records` are the ids of the games. `common` contains the facts that all these games
 * share.
 */
export const buildGames = (
  common: Partial<GameRecord>,
  records: Readonly<Record<string, GameRecord>>
): ReadonlyArray<Game> =>
  Object.entries(records).map(([id, { from, ...record }]) => {
    const game: Game = {
      aliases: [],
      appIds: [],
      folders: [],
      port: DEFAULT_PORT,
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
        appIds: collectSources(record.appIds, typeof from === "string" ? from : from?.appIds),
        folders: collectSources(record.folders, typeof from === "string" ? "valve" : from?.folders),
        ports: findPortSources(id)
      }
    }
    made.add(game)
    return game
  })

/**
 * Returns the ports at which a server may reply to queries, without duplicates. The most likely port is first. `port` is the port that
 * players join (default: the game's usual port). You can also pass the query port as `port`. If `port` differs from the game's usual port,
 * the list contains `port` before a fixed query port, because the fixed port may belong to another server on the host.
 */
export const likelyQueryPorts = (game: Game, port?: number): ReadonlyArray<number> => {
  demand("game", "a game, as findGame returns it", () => made.has(game), game)
  demand("port", "a port", () => port === undefined || (Number.isInteger(port) && port > 0 && port < 65_536), port)
  const joined = port ?? game.port ?? DEFAULT_PORT
  const given = port === undefined ? [] : [port]
  const known = game.queryPorts.map((at) => ("port" in at ? at.port : joined + at.offset))
  const isFixed = game.queryPorts[0] !== undefined && "port" in game.queryPorts[0]
  const ports = isFixed && port !== game.port ? [...given, ...known] : [...known, ...given]
  const usable = [...new Set(ports)].filter((one) => one > 0 && one < 65_536)
  return usable.length === 0 ? [DEFAULT_PORT] : usable
}
