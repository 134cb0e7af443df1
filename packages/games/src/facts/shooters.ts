/** Keywords and rules of shooters. */
import type { Reader } from "./declaration.ts"
import { count, flag, list, means, oneOf, text } from "./kinds.ts"
import { unreal, unrealKeywords, unrealRules } from "./unreal.ts"

/** Insurgency and Day of Infamy. */
export const insurgency: Reader = {
  keywords: [
    ["g:", "mode", text, "Game mode"],
    ["p:", "playlist", text, "Playlist"],
    ["t:", "theater", text, "Theater: which weapons and classes there are"],
    ["v:", "gameVersion", count, "Version of the game"],
    ["pure:", "pure", flag, "Files of players are checked"],
    ["deathmsgs", "deathMessages", means(true), "Deaths are told to everybody"],
    ["noff", "friendlyFire", means(false), "Friends cannot be hurt"]
  ]
}

/** Garry's Mod: the title of the game mode is INFO's `game`. */
export const garrysmod: Reader = {
  separator: " ",
  keywords: [
    ["gm:", "mode", text, "Game mode"],
    ["gmc:", "category", text, "Category of the game mode"],
    ["loc:", "country", text, "Country of the server"],
    ["ver:", "gameVersion", text, "Version of the game"]
  ]
}

/** Battalion 1944: INFO says neither name nor players; the map of the rules is often an old one. */
export const battalion1944: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["bat_name_s", "name", text, "Name of the server"],
    ["bat_player_count_s", "players", count, "Players on the server"],
    ["bat_max_players_i", "maxPlayers", count, "Most players"],
    ["bat_has_password_s", "password", flag, "Whether joining takes a password"],
    ["bat_gamemode_s", "mode", text, "Game mode"]
  ]
}

/** Squad before version 7: INFO counts who waits too. */
export const squad: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["PlayerCount_i", "players", count, "Players on the server"],
    ["PublicQueue_i", "queue", count, "Players who wait to join"],
    ["ReservedQueue_i", "reservedQueue", count, "Players who wait for a place that is kept for them"],
    ["PlayerReserveCount_i", "reserved", count, "Places that are kept for some"],
    ["Password_b", "password", flag, "Whether joining takes a password"],
    ["GameMode_s", "mode", text, "Game mode"],
    ["GameVersion_s", "version", text, "Version of the game"],
    ["TeamOne_s", "teamOne", text, "First team"],
    ["TeamTwo_s", "teamTwo", text, "Second team"]
  ]
}

/** Days of War: INFO has no map. */
export const dow: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["MPN_s", "map", text, "Map"],
    ["G_s", "mode", text, "Game mode"],
    ["V_s", "version", text, "Version of the game"]
  ]
}

/** Hell Let Loose. */
export const hll: Reader = unreal

/** Killing Floor 2, Red Orchestra 2, Rising Storm 2. Their rules name a map of long ago. */
export const unreal3: Reader = {
  rules: [
    ["Mode", "mode", text, "Game mode"],
    ["bRequiresPassword", "password", flag, "Whether joining takes a password"],
    ["CurrentWave", "wave", count, "The wave that is fought"],
    ["NumWaves", "waves", count, "How many waves there are"],
    ["bIsRanked", "ranked", flag, "Play counts for ranks"],
    ["FriendlyFire", "friendlyFirePercent", count, "How much friends are hurt, in percent"],
    ["AdminContact", "contact", text, "Where the operators are found"],
    ["MutatorsRunning", "mutators", list(","), "What changes the game"]
  ]
}

/** Quake Live: INFO has no version. */
export const quakelive: Reader = {
  rules: [
    ["g_factoryTitle", "mode", text, "Game mode"],
    ["version", "version", text, "Version of the game"],
    ["g_needpass", "password", flag, "Whether joining takes a password"],
    ["g_gameState", "state", text, "What the server is at"],
    ["fraglimit", "fragLimit", count, "Frags that end a match"],
    ["timelimit", "timeLimit", count, "Minutes that end a match"]
  ]
}

/** Mordhau: `B` is the count of players, a little later than INFO's. */
export const mordhau: Reader = {
  keywords: [["N:", "mode", text, "Game mode"]]
}

/** Call of Duty: Modern Warfare 3: keys and values with a backslash between. */
export const codmw3: Reader = {
  separator: "\\",
  pairs: true,
  keywords: [
    ["gt", "mode", text, "Game mode"],
    ["hc", "hardcore", flag, "Hardcore rules"],
    ["ff", "friendlyFire", flag, "Friends can be hurt"],
    ["qp", "queryPort", count, "Port of queries"]
  ]
}

/** Brink. */
export const brink: Reader = {
  keywords: [
    ["pwd=", "password", flag, "Whether joining takes a password"],
    ["ded=", "dedicated", flag, "A dedicated server"],
    ["q=", "playlist", oneOf({ social: "social" }), "Playlist"]
  ]
}
