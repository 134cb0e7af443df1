/** Keywords and rules of games of survival and building. */
import type { Reader } from "./declaration.ts"
import { unrealKeywords, unrealRules } from "./unreal.ts"
import {
  anyText,
  count,
  flag,
  list,
  matching,
  means,
  modIds,
  modNames,
  notFlag,
  number,
  oneOf,
  text,
  unixTime
} from "./kinds.ts"

/** Rust: the counts are in the keywords, since INFO's are bytes and include who waits. */
export const rust: Reader = {
  keywords: [
    { key: "cp", fact: "players", as: count, says: "Players on the server" },
    { key: "mp", fact: "maxPlayers", as: count, says: "Most players" },
    { key: "qp", fact: "queue", as: count, says: "Players who wait to join" },
    { key: "v", fact: "networkVersion", as: count, says: "Version of the network protocol" },
    { key: "h", fact: "contentHash", as: matching(/^[0-9a-f]{8}$/), says: "Hash of the server's assemblies" },
    { key: "born", fact: "born", as: unixTime, says: "When the map was made: the last wipe" },
    { key: "gm", fact: "mode", as: text, says: "Game mode" },
    { key: "pt", fact: "transport", as: oneOf({ rak: "RakNet", sw: "Steam" }), says: "How players are connected" },
    { key: "st", fact: "state", as: oneOf({ ok: "ok" }), says: "State of the server" },
    { key: "oxide", fact: "oxide", as: means(true), says: "Runs plugins of Oxide" },
    { key: "carbon", fact: "carbon", as: means(true), says: "Runs plugins of Carbon" },
    { key: "modded", fact: "modded", as: means(true), says: "Modified" },
    { key: "vanilla", fact: "modded", as: means(false), says: "Not modified" },
    { key: "pve", fact: "pve", as: means(true), says: "Players may not hurt each other" },
    { key: "softcore", fact: "softcore", as: means(true), says: "Softcore rules" },
    { key: "hardcore", fact: "hardcore", as: means(true), says: "Hardcore rules" },
    { key: "weekly", fact: "wipes", as: means("weekly"), says: "Wiped every week" },
    { key: "biweekly", fact: "wipes", as: means("biweekly"), says: "Wiped every two weeks" },
    { key: "monthly", fact: "wipes", as: means("monthly"), says: "Wiped every month" }
  ],
  rules: [
    { key: "world.seed", fact: "seed", as: count, says: "Seed of the map" },
    { key: "world.size", fact: "worldSize", as: count, says: "Length of the map's side, in metres" },
    { key: "pve", fact: "pve", as: flag, says: "Whether players may not hurt each other" },
    { key: "uptime", fact: "uptimeSeconds", as: count, says: "Seconds since the server started" },
    { key: "fps", fact: "framesPerSecond", as: number, says: "Frames a second" },
    { key: "fps_avg", fact: "framesPerSecondAverage", as: number, says: "Frames a second on average" },
    { key: "ent_cnt", fact: "entities", as: count, says: "Things in the world" },
    { key: "url", fact: "url", as: text, says: "Page of the server" },
    { key: "headerimage", fact: "headerImage", as: text, says: "Picture of the server" },
    { key: "gmt", fact: "modeTitle", as: text, says: "Title of the game mode" },
    { key: "build", fact: "build", as: text, says: "Build of the server" }
  ],
  gathered: [
    {
      key: /^description_\d\d$/,
      fact: "description",
      as: (values) => text(values.join("").replaceAll("\\n", "\n").trim()),
      says: "What the server says of itself"
    }
  ]
}

const workshopMod = (value: string) => {
  const [, id, hash] = /^(\d{1,20}):([0-9A-F]{32})$/.exec(value) ?? []
  return id === undefined || hash === undefined ? [] : [{ id, hash: hash.toLowerCase() }]
}

/** ARK and the games made from it: ATLAS, PixARK, Dark and Light. */
export const ark: Reader = {
  keywords: [
    ...unrealKeywords,
    { key: "NUMOPENPUBCONN:", fact: "freeSlots", as: count, says: "Places that are free" },
    { key: "LEGACY_i:", fact: "legacy", as: flag, says: "A legacy server" }
  ],
  rules: [
    { key: "NUMOPENPUBCONN", fact: "freeSlots", as: count, says: "Places that are free" },
    ...unrealRules,
    { key: "ServerPassword_b", fact: "password", as: flag, says: "Whether joining takes a password" },
    {
      key: "SESSIONISPVE_i",
      fact: "mode",
      as: oneOf({ 0: "pvp", 1: "pve" }),
      says: "Whether players fight each other"
    },
    { key: "OFFICIALSERVER_i", fact: "official", as: flag, says: "A server of the makers" },
    { key: "SERVERUSESBATTLEYE_b", fact: "battlEye", as: flag, says: "Protected by BattlEye" },
    { key: "DayTime_s", fact: "dayTime", as: text, says: "Day, or time of day, in the game" },
    { key: "DAYTIME_s", fact: "timeOfDay", as: text, says: "Time of day in the game" },
    { key: "ClusterId_s", fact: "cluster", as: text, says: "Servers of one cluster share characters" },
    { key: "NumReservedSlots_i", fact: "reserved", as: count, says: "Places that are kept for some" },
    { key: "ATLASFRIENDLYNAME_s", fact: "atlas", as: text, says: "Name of the world that the server is a part of" },
    { key: "ISHOMESERVER_b", fact: "homeServer", as: flag, says: "Players may begin here" },
    { key: "BuildId_s", fact: "build", as: text, says: "Build of the server" }
  ],
  gathered: [
    {
      key: /^MOD\d+_s$/,
      fact: "mods",
      as: (values) => {
        const mods = values.flatMap(workshopMod)
        return mods.length === values.length ? mods : undefined
      },
      says: "Mods, by their number in the Workshop"
    }
  ]
}

/** Conan Exiles. What most of its rules mean (`S05_b` and so on) was never told. */
export const conanexiles: Reader = {
  keywords: unrealKeywords,
  rules: unrealRules
}

/** Unturned. Its last keyword holds the server's settings in a form of its own. */
export const unturned: Reader = {
  keywords: [
    { key: "PVP", fact: "mode", as: means("pvp"), says: "Players fight each other" },
    { key: "PVE", fact: "mode", as: means("pve"), says: "Players fight zombies" },
    { key: "EASY", fact: "difficulty", as: means("easy"), says: "Easy" },
    { key: "NORMAL", fact: "difficulty", as: means("normal"), says: "Of normal difficulty" },
    { key: "HARD", fact: "difficulty", as: means("hard"), says: "Hard" },
    { key: "BOTH", fact: "camera", as: means("both"), says: "First and third person" },
    { key: "FIRST", fact: "camera", as: means("first"), says: "First person only" },
    { key: "THIRD", fact: "camera", as: means("third"), says: "Third person only" }
  ],
  rules: [
    { key: "rocket", fact: "rocket", as: text, says: "Version of Rocket, which runs plugins" },
    { key: "rocketplugins", fact: "plugins", as: list(","), says: "Plugins" }
  ]
}

/** Valheim: the version of the game stands in the keywords, INFO's is always 1.0.0.0. */
export const valheim: Reader = {
  keywords: [
    { key: "g=", fact: "version", as: text, says: "Version of the game" },
    { key: "n=", fact: "networkVersion", as: count, says: "Version of the network protocol" },
    { key: "m=", fact: "modifiers", as: anyText, says: "Modifiers of the world" },
    { key: "", fact: "version", as: matching(/^\d+\.\d+\.\d+$/), says: "Version of the game" }
  ]
}

/** Project Zomboid. A long list of mods is cut where its rule ends; `modCount` is whole. */
export const projectzomboid: Reader = {
  rules: [
    { key: "version", fact: "version", as: text, says: "Version of the game" },
    { key: "mods", fact: "mods", as: modNames(";"), says: "Mods, as many as the rule has room for" },
    { key: "modCount", fact: "modCount", as: count, says: "How many mods there are" },
    { key: "pvp", fact: "pvp", as: flag, says: "Whether players may hurt each other" },
    { key: "open", fact: "whitelist", as: notFlag, says: "Whether only known players may join" },
    { key: "public", fact: "public", as: flag, says: "Whether the server wants to be listed" },
    { key: "description", fact: "description", as: text, says: "What the server says of itself" }
  ],
  gathered: [
    {
      key: /^description:\d+\/\d+$/,
      fact: "description",
      as: (values) => text(values.join("")),
      says: "What the server says of itself"
    }
  ]
}

/** Space Engineers: the name of the map is the world's. */
export const spaceengineers: Reader = {
  separator: " ",
  keywords: [
    { key: "groupId", fact: "group", as: text, says: "Steam group whose members may join, 0 for everybody" },
    { key: "version", fact: "gameVersion", as: count, says: "Version of the game" },
    { key: "datahash", fact: "contentHash", as: text, says: "Hash of the content" },
    { key: "mods", fact: "modCount", as: count, says: "How many mods there are" },
    { key: "gamemodeC", fact: "mode", as: means("creative"), says: "Creative" },
    {
      key: "gamemodeS",
      fact: "mode",
      as: (value) => (/^(\d+-\d+-\d+)?$/.test(value) ? "survival" : undefined),
      says: "Survival; the numbers multiply inventories, assemblers and refineries"
    },
    { key: "view", fact: "viewDistance", as: count, says: "How far one sees, in metres" }
  ],
  rules: [{ key: "mods", fact: "modCount", as: count, says: "How many mods there are" }],
  gathered: [
    {
      key: /^mod\d+$/,
      fact: "mods",
      as: (values) => values.map((name) => ({ name })),
      says: "Mods"
    }
  ]
}

/** Avorion: INFO has no version. */
export const avorion: Reader = {
  rules: [
    { key: "version", fact: "version", as: text, says: "Version of the game" },
    { key: "difficulty", fact: "difficulty", as: text, says: "Difficulty" },
    { key: "scenario", fact: "mode", as: text, says: "Scenario" },
    { key: "description", fact: "description", as: text, says: "What the server says of itself" },
    { key: "collision_damage", fact: "collisionDamage", as: text, says: "Damage by collisions" }
  ]
}

/** 7 Days to Die. Its keywords are packed settings, whose form was never told. */
export const sdtd: Reader = {
  reported: true,
  rules: [
    { key: "GameMode", fact: "mode", as: text, says: "Game mode" },
    { key: "LevelName", fact: "world", as: text, says: "World" },
    { key: "GameName", fact: "save", as: text, says: "Name of the saved game" },
    { key: "CurrentServerTime", fact: "gameTime", as: count, says: "Time in the game: a day has 24000" },
    { key: "ServerDescription", fact: "description", as: text, says: "What the server says of itself" },
    { key: "ServerWebsiteURL", fact: "url", as: text, says: "Page of the server" }
  ]
}

/** Soulmask: INFO's version is always 1.0.0.0. */
export const soulmask: Reader = {
  reported: true,
  rules: [{ key: "NO_s", fact: "version", as: text, says: "Version of the game" }]
}

/** Insurgency: Sandstorm. */
export const sandstorm: Reader = {
  reported: true,
  rules: [
    { key: "GameMode_s", fact: "mode", as: text, says: "Game mode" },
    { key: "PlrC_i", fact: "players", as: count, says: "Players on the server" },
    { key: "PlrM_i", fact: "maxPlayers", as: count, says: "Most players" },
    { key: "Pwd_b", fact: "password", as: flag, says: "Whether joining takes a password" },
    { key: "Mutators_s", fact: "mutators", as: list(","), says: "What changes the game" },
    { key: "ModList_s", fact: "mods", as: modIds(","), says: "Mods, by their number at mod.io" },
    { key: "Coop_b", fact: "coop", as: flag, says: "Players against the computer" },
    { key: "OfficialRuleset_b", fact: "officialRules", as: flag, says: "The makers' rules" },
    { key: "RankedServer_b", fact: "ranked", as: flag, says: "Play counts for ranks" }
  ]
}
