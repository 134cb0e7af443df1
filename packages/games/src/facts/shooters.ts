/** Keywords and rules of shooters. */
import type { Reader } from "./declaration.ts"
import { count, flag, list, means, oneOf, text } from "./kinds.ts"
import { unrealKeywords, unrealRules } from "./unreal.ts"

/** Insurgency and Day of Infamy. */
export const insurgency: Reader = {
  keywords: [
    { key: "g:", fact: "mode", as: text, says: "Game mode" },
    { key: "p:", fact: "playlist", as: text, says: "Playlist" },
    { key: "t:", fact: "theater", as: text, says: "Theater: which weapons and classes there are" },
    { key: "v:", fact: "gameVersion", as: count, says: "Version of the game" },
    { key: "pure:", fact: "pure", as: flag, says: "Files of players are checked" },
    { key: "deathmsgs", fact: "deathMessages", as: means(true), says: "Deaths are told to everybody" },
    { key: "noff", fact: "friendlyFire", as: means(false), says: "Friends cannot be hurt" }
  ]
}

/** Garry's Mod: the title of the game mode is INFO's `game`. */
export const garrysmod: Reader = {
  separator: " ",
  keywords: [
    { key: "gm:", fact: "mode", as: text, says: "Game mode" },
    { key: "gmc:", fact: "category", as: text, says: "Category of the game mode" },
    { key: "loc:", fact: "country", as: text, says: "Country of the server" },
    { key: "ver:", fact: "gameVersion", as: text, says: "Version of the game" }
  ]
}

/** Battalion 1944: INFO says neither name nor players; the map of the rules is often an old one. */
export const battalion1944: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    { key: "bat_name_s", fact: "name", as: text, says: "Name of the server" },
    { key: "bat_player_count_s", fact: "players", as: count, says: "Players on the server" },
    { key: "bat_max_players_i", fact: "maxPlayers", as: count, says: "Most players" },
    { key: "bat_has_password_s", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "bat_gamemode_s", fact: "mode", as: text, says: "Game mode" }
  ]
}

/** Squad before version 7: INFO counts who waits too. */
export const squad: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    { key: "PlayerCount_i", fact: "players", as: count, says: "Players on the server" },
    { key: "PublicQueue_i", fact: "queue", as: count, says: "Players who wait to join" },
    {
      key: "ReservedQueue_i",
      fact: "reservedQueue",
      as: count,
      says: "Players who wait for a place that is kept for them"
    },
    { key: "PlayerReserveCount_i", fact: "reserved", as: count, says: "Places that are kept for some" },
    { key: "Password_b", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "GameMode_s", fact: "mode", as: text, says: "Game mode" },
    { key: "GameVersion_s", fact: "version", as: text, says: "Version of the game" },
    { key: "TeamOne_s", fact: "teamOne", as: text, says: "First team" },
    { key: "TeamTwo_s", fact: "teamTwo", as: text, says: "Second team" }
  ]
}

/** Days of War: INFO has no map. */
export const dow: Reader = {
  keywords: unrealKeywords,
  rules: [
    ...unrealRules,
    { key: "MPN_s", fact: "map", as: text, says: "Map" },
    { key: "G_s", fact: "mode", as: text, says: "Game mode" },
    { key: "V_s", fact: "version", as: text, says: "Version of the game" }
  ]
}

/** Hell Let Loose. */
export const hll: Reader = {
  keywords: unrealKeywords,
  rules: unrealRules
}

/** Killing Floor 2, Red Orchestra 2, Rising Storm 2. Their rules name a map of long ago. */
export const unreal3: Reader = {
  rules: [
    { key: "Mode", fact: "mode", as: text, says: "Game mode" },
    { key: "bRequiresPassword", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "CurrentWave", fact: "wave", as: count, says: "The wave that is fought" },
    { key: "NumWaves", fact: "waves", as: count, says: "How many waves there are" },
    { key: "bIsRanked", fact: "ranked", as: flag, says: "Play counts for ranks" },
    { key: "FriendlyFire", fact: "friendlyFirePercent", as: count, says: "How much friends are hurt, in percent" },
    { key: "AdminContact", fact: "contact", as: text, says: "Where the operators are found" },
    { key: "MutatorsRunning", fact: "mutators", as: list(","), says: "What changes the game" }
  ]
}

/** Quake Live: INFO has no version. */
export const quakelive: Reader = {
  rules: [
    { key: "g_factoryTitle", fact: "mode", as: text, says: "Game mode" },
    { key: "version", fact: "version", as: text, says: "Version of the game" },
    { key: "g_needpass", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "g_gameState", fact: "state", as: text, says: "What the server is at" },
    { key: "fraglimit", fact: "fragLimit", as: count, says: "Frags that end a match" },
    { key: "timelimit", fact: "timeLimit", as: count, says: "Minutes that end a match" }
  ]
}

/** Mordhau: `B` is the count of players, a little later than INFO's. */
export const mordhau: Reader = {
  keywords: [{ key: "N:", fact: "mode", as: text, says: "Game mode" }]
}

/** Call of Duty: Modern Warfare 3: keys and values with a backslash between. */
export const codmw3: Reader = {
  separator: "\\",
  pairs: true,
  keywords: [
    { key: "gt", fact: "mode", as: text, says: "Game mode" },
    { key: "hc", fact: "hardcore", as: flag, says: "Hardcore rules" },
    { key: "ff", fact: "friendlyFire", as: flag, says: "Friends can be hurt" },
    { key: "qp", fact: "queryPort", as: count, says: "Port of queries" }
  ]
}

/** Brink. */
export const brink: Reader = {
  keywords: [
    { key: "pwd=", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "ded=", fact: "dedicated", as: flag, says: "A dedicated server" },
    { key: "q=", fact: "playlist", as: oneOf({ social: "social" }), says: "Playlist" }
  ]
}
