/** Keywords and rules of shooters. */
import type { Reader } from "./declaration.ts"
import { count, flag, list, means, oneOf, text } from "./kinds.ts"
import { unreal, unrealKeywords, unrealRules } from "./unreal.ts"

/** Insurgency and Day of Infamy. */
export const insurgency: Reader = {
  keywords: [
    ["g:", "mode", text, "Mode"],
    ["p:", "playlist", text, "Playlist"],
    ["t:", "theater", text, "Theater"],
    ["v:", "gameVersion", count, "Game version"],
    ["pure:", "pure", flag, "File checks"],
    ["deathmsgs", "deathMessages", means(true), "Death messages"],
    ["noff", "friendlyFire", means(false), "Friendly fire"]
  ]
}

/** Garry's Mod: the title of the game mode is INFO's `game`. */
export const garrysmod: Reader = {
  separator: " ",
  keywords: [
    ["gm:", "mode", text, "Mode"],
    ["gmc:", "category", text, "Mode category"],
    ["loc:", "country", text, "Country"],
    ["ver:", "gameVersion", text, "Game version"]
  ]
}

/** Battalion 1944: INFO lacks the name and the players; the map in the rules is often outdated. */
export const battalion1944: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["bat_name_s", "name", text, "Name"],
    ["bat_player_count_s", "players", count, "Players"],
    ["bat_max_players_i", "maxPlayers", count, "Player limit"],
    ["bat_has_password_s", "password", flag, "Password"],
    ["bat_gamemode_s", "mode", text, "Mode"]
  ]
}

/** Squad before version 7: the player count in INFO includes players who wait to join. */
export const squad: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["PlayerCount_i", "players", count, "Players"],
    ["PublicQueue_i", "queue", count, "Waiting to join"],
    ["ReservedQueue_i", "reservedQueue", count, "Waiting for a reserved slot"],
    ["PlayerReserveCount_i", "reserved", count, "Reserved slots"],
    ["Password_b", "password", flag, "Password"],
    ["GameMode_s", "mode", text, "Mode"],
    ["GameVersion_s", "version", text, "Version"],
    ["TeamOne_s", "teamOne", text, "Team 1"],
    ["TeamTwo_s", "teamTwo", text, "Team 2"]
  ]
}

/** Days of War: INFO has no map. */
export const dow: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    ["MPN_s", "map", text, "Map"],
    ["G_s", "mode", text, "Mode"],
    ["V_s", "version", text, "Version"]
  ]
}

/** Hell Let Loose. */
export const hll: Reader = unreal

/** Killing Floor 2, Red Orchestra 2, Rising Storm 2: the map in the rules is outdated. */
export const unreal3: Reader = {
  rules: [
    ["Mode", "mode", text, "Mode"],
    ["bRequiresPassword", "password", flag, "Password"],
    ["CurrentWave", "wave", count, "Wave"],
    ["NumWaves", "waves", count, "Waves"],
    ["bIsRanked", "ranked", flag, "Ranked"],
    ["FriendlyFire", "friendlyFirePercent", count, "Friendly fire", "percent"],
    ["AdminContact", "contact", text, "Contact"],
    ["MutatorsRunning", "mutators", list(","), "Mutators"]
  ]
}

/** Quake Live: INFO has no version. */
export const quakelive: Reader = {
  rules: [
    ["g_factoryTitle", "mode", text, "Mode"],
    ["version", "version", text, "Version"],
    ["g_needpass", "password", flag, "Password"],
    ["g_gameState", "state", text, "State"],
    ["fraglimit", "fragLimit", count, "Frag limit"],
    ["timelimit", "timeLimit", count, "Time limit", "minutes"]
  ]
}

/**
 * Mordhau. The reader ignores the keyword `B`, the player count, because INFO also contains a player count. INFO's count is slightly older
 * than the count in `B`.
 */
export const mordhau: Reader = {
  keywords: [["N:", "mode", text, "Mode"]]
}

/** Call of Duty: Modern Warfare 3: the keywords are alternating keys and values, separated by backslashes. */
export const codmw3: Reader = {
  separator: "\\",
  pairs: true,
  keywords: [
    ["gt", "mode", text, "Mode"],
    ["hc", "hardcore", flag, "Hardcore"],
    ["ff", "friendlyFire", flag, "Friendly fire"],
    ["qp", "queryPort", count, "Query port"]
  ]
}

export const brink: Reader = {
  keywords: [
    ["pwd=", "password", flag, "Password"],
    ["ded=", "dedicated", flag, "Dedicated"],
    ["q=", "playlist", oneOf({ social: "social" }), "Playlist"]
  ]
}
