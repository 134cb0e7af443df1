/** Which game: by its id, by a text, and by what a server says of itself. */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import { demandInfo, demandText } from "./edge.ts"
import type { Game } from "./Game.ts"
import { games } from "./records/games.ts"

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** The game of an id or alias, in upper or lower case. */
export const gameOf = (id: string): Game | undefined => {
  demandText("id", id)
  const wanted = id.toLowerCase()
  return games.find((game) => game.id === wanted) ?? games.find(({ aliases }) => aliases.includes(wanted))
}

/** The games whose id, name or alias holds a text, or whose app id it is; all for none. */
export const findGames = (text = ""): ReadonlyArray<Game> => {
  demandText("text", text)
  const wanted = letters(text)
  return games.filter(
    ({ aliases, appIds, id, name }) =>
      [id, name, ...aliases].some((one) => letters(one).includes(wanted)) ||
      appIds.some((app) => String(app) === wanted)
  )
}

/** App ids that a game shares with its mods: there the folder tells. */
const SHARED: ReadonlySet<number> = new Set([70, 215, 218])
/** Compares versions: digits in them are numbers. */
const versions = new Intl.Collator("en", { numeric: true })

/** The game of a server, by what it says; `undefined` for one that is not known. */
export const identify = (info: InfoReply | GoldSourceInfoReply): Game | undefined => {
  demandInfo(info)
  const appId = info._tag === "InfoReply" ? info.appId : 0
  const folder = info.folder.toLowerCase()
  const version = info._tag === "InfoReply" ? info.version : ""
  const old = games.filter(({ versionFrom }) => versionFrom === null || versions.compare(version, versionFrom) >= 0)
  const inFolder = (game: Game): boolean => game.folders.some((one) => one.toLowerCase() === folder)
  if (appId !== 0) {
    const ofApp = old.filter(({ appIds }) => appIds.includes(appId))
    return (
      ofApp.find(inFolder) ??
      (SHARED.has(appId) ? old.find((game) => game.appIds.length === 0 && inFolder(game)) : ofApp[0])
    )
  }
  const dialect = info._tag === "InfoReply" && info.protocol !== 47 && info.protocol !== 48 ? "source" : "goldsource"
  const alike = old.filter(inFolder)
  return alike.find((game) => game.dialect === dialect) ?? alike[0]
}
