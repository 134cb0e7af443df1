/** Finds a game by its id, by a text, or by the INFO of a server. */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import { demandInfo, demandText } from "./edge.ts"
import type { Game } from "./Game.ts"
import { games } from "./records/games.ts"

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Returns the game with this id or alias, or `undefined` if there is none. The function ignores the case of `id`. */
export const findGame = (id: string): Game | undefined => {
  demandText("id", id)
  const wanted = id.toLowerCase()
  return games.find((game) => game.id === wanted) ?? games.find(({ aliases }) => aliases.includes(wanted))
}

/**
 * Returns the games whose id, name or alias contains the text, or whose app id is the text. The comparison ignores case, spaces and
 * punctuation. Without a text, the function returns all games.
 */
export const findGames = (text = ""): ReadonlyArray<Game> => {
  demandText("text", text)
  const wanted = letters(text)
  return games.filter(
    ({ aliases, appIds, id, name }) =>
      [id, name, ...aliases].some((one) => letters(one).includes(wanted)) ||
      appIds.some((app) => String(app) === wanted)
  )
}

/**
 * App ids of Half-Life, Half-Life 2 and the Source SDK Base, each with the dialect of its engine. Mods, and servers without Steam, also
 * report these app ids. If a reply has one of these app ids, the folder identifies the game, and only games with the dialect of this app
 * id are considered.
 */
const SHARED: ReadonlyMap<number, Game["dialect"]> = new Map([
  [70, "goldsource"],
  [215, "source"],
  [218, "source"],
  [220, "source"]
])
const numbersIn = (version: string): ReadonlyArray<number> => (version.match(/\d+/g) ?? []).map(Number)

/**
 * Whether a version is `oldest` or newer. The function compares the first number of `version` with the first number of `oldest`, then the
 * second numbers, and so on. If a number is missing in `version`, the function uses 0. The function does not use an `Intl.Collator`,
 * because creating a collator takes longer than a query.
 */
const isFrom = (version: string, oldest: string): boolean => {
  const numbers = numbersIn(version)
  const wanted = numbersIn(oldest)
  const at = wanted.findIndex((number, i) => number !== (numbers[i] ?? 0))
  return at === -1 || (numbers[at] ?? 0) > wanted[at]!
}

/** Returns the game of a server, identified by its INFO. Returns `undefined` if the game is unknown. */
export const identify = (info: InfoReply | GoldSourceInfoReply): Game | undefined => {
  demandInfo(info)
  const { appId, protocol, version } =
    info._tag === "InfoReply" ? info : { appId: 0, protocol: info.protocol, version: "" }
  const folder = info.folder.toLowerCase()
  const current = games.filter(({ versionFrom }) => versionFrom === null || isFrom(version, versionFrom))
  const hasFolder = (game: Game): boolean => game.folders.some((one) => one.toLowerCase() === folder)
  const ofApp = appId === 0 ? [] : current.filter(({ appIds }) => appIds.includes(appId))
  const exact = ofApp.find(hasFolder)
  if (exact !== undefined) return exact
  const shared = SHARED.get(appId)
  if (appId !== 0 && shared === undefined) return ofApp[0]
  const isGoldSource = info._tag === "GoldSourceInfoReply" || protocol === 47 || protocol === 48
  const dialect = shared ?? (isGoldSource ? "goldsource" : "source")
  const alike = current.filter(hasFolder)
  return alike.find((game) => game.dialect === dialect) ?? (shared === undefined ? alike[0] : undefined)
}
