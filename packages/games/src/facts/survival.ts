/** Keywords and rules of games of survival and building. */
import type { Reader } from "./declaration.ts"
import { unreal, unrealKeywords, unrealRules } from "./unreal.ts"
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

const paragraphs = (values: ReadonlyArray<string>) => text(values.join("").replaceAll("\\n", "\n").trim())

/** Rust: the counts are in the keywords, since INFO's are bytes and include who waits. */
export const rust: Reader = {
  keywords: [
    ["cp", "players", count, "Players on the server"],
    ["mp", "maxPlayers", count, "Most players"],
    ["qp", "queue", count, "Players who wait to join"],
    ["v", "networkVersion", count, "Version of the network protocol"],
    ["h", "contentHash", matching(/^[0-9a-f]{8}$/), "Hash of the server's assemblies"],
    ["born", "born", unixTime, "When the map was made: the last wipe"],
    ["gm", "mode", text, "Game mode"],
    ["pt", "transport", oneOf({ rak: "RakNet", sw: "Steam" }), "How players are connected"],
    ["st", "state", oneOf({ ok: "ok" }), "State of the server"],
    ["oxide", "oxide", means(true), "Runs plugins of Oxide"],
    ["carbon", "carbon", means(true), "Runs plugins of Carbon"],
    ["modded", "modded", means(true), "Modified"],
    ["vanilla", "modded", means(false), "Not modified"],
    ["pve", "pve", means(true), "Players may not hurt each other"],
    ["softcore", "softcore", means(true), "Softcore rules"],
    ["hardcore", "hardcore", means(true), "Hardcore rules"],
    ["weekly", "wipes", means("weekly"), "Wiped every week"],
    ["biweekly", "wipes", means("biweekly"), "Wiped every two weeks"],
    ["monthly", "wipes", means("monthly"), "Wiped every month"]
  ],
  rules: [
    ["world.seed", "seed", count, "Seed of the map"],
    ["world.size", "worldSize", count, "Length of the map's side, in metres"],
    ["pve", "pve", flag, "Whether players may not hurt each other"],
    ["uptime", "uptimeSeconds", count, "Seconds since the server started"],
    ["fps", "framesPerSecond", number, "Frames a second"],
    ["fps_avg", "framesPerSecondAverage", number, "Frames a second on average"],
    ["ent_cnt", "entities", count, "Things in the world"],
    ["url", "url", text, "Page of the server"],
    ["headerimage", "headerImage", text, "Picture of the server"],
    ["gmt", "modeTitle", text, "Title of the game mode"],
    ["build", "build", text, "Build of the server"]
  ],
  gathered: [[/^description_\d\d$/, "description", paragraphs, "What the server says of itself"]]
}

const workshopMods = (values: ReadonlyArray<string>) => {
  const found = values.map((value) => /^(\d{1,20}):([0-9A-F]{32})$/.exec(value))
  if (!found.every((mod) => mod !== null)) return undefined
  return found.map(([, id, hash]) => ({ id: id!, hash: hash!.toLowerCase() }))
}

/** ARK and the games made from it: ATLAS, PixARK, Dark and Light. */
export const ark: Reader = {
  keywords: [
    ...unrealKeywords,
    ["NUMOPENPUBCONN:", "freeSlots", count, "Places that are free"],
    ["LEGACY_i:", "legacy", flag, "A legacy server"]
  ],
  rules: [
    ["NUMOPENPUBCONN", "freeSlots", count, "Places that are free"],
    ...unrealRules,
    ["ServerPassword_b", "password", flag, "Whether joining takes a password"],
    ["SESSIONISPVE_i", "mode", oneOf({ 0: "pvp", 1: "pve" }), "Whether players fight each other"],
    ["OFFICIALSERVER_i", "official", flag, "A server of the makers"],
    ["SERVERUSESBATTLEYE_b", "battlEye", flag, "Protected by BattlEye"],
    ["DayTime_s", "dayTime", text, "Day, or time of day, in the game"],
    ["DAYTIME_s", "timeOfDay", text, "Time of day in the game"],
    ["ClusterId_s", "cluster", text, "Servers of one cluster share characters"],
    ["NumReservedSlots_i", "reserved", count, "Places that are kept for some"],
    ["ATLASFRIENDLYNAME_s", "atlas", text, "Name of the world that the server is a part of"],
    ["ISHOMESERVER_b", "homeServer", flag, "Players may begin here"],
    ["BuildId_s", "build", text, "Build of the server"]
  ],
  gathered: [[/^MOD\d+_s$/, "mods", workshopMods, "Mods, by their number in the Workshop"]]
}

/** Conan Exiles. What most of its rules mean (`S05_b` and so on) was never told. */
export const conanexiles: Reader = unreal

/** Unturned. Its last keyword holds the server's settings in a form of its own. */
export const unturned: Reader = {
  keywords: [
    ["PVP", "mode", means("pvp"), "Players fight each other"],
    ["PVE", "mode", means("pve"), "Players fight zombies"],
    ["EASY", "difficulty", means("easy"), "Easy"],
    ["NORMAL", "difficulty", means("normal"), "Of normal difficulty"],
    ["HARD", "difficulty", means("hard"), "Hard"],
    ["BOTH", "camera", means("both"), "First and third person"],
    ["FIRST", "camera", means("first"), "First person only"],
    ["THIRD", "camera", means("third"), "Third person only"]
  ],
  rules: [
    ["rocket", "rocket", text, "Version of Rocket, which runs plugins"],
    ["rocketplugins", "plugins", list(","), "Plugins"]
  ]
}

/** Valheim: the version of the game stands in the keywords, INFO's is always 1.0.0.0. */
export const valheim: Reader = {
  keywords: [
    ["g=", "version", text, "Version of the game"],
    ["n=", "networkVersion", count, "Version of the network protocol"],
    ["m=", "modifiers", anyText, "Modifiers of the world"],
    ["", "version", matching(/^\d+\.\d+\.\d+$/), "Version of the game"]
  ]
}

/** Project Zomboid. A long list of mods is cut where its rule ends; `modCount` is whole. */
export const projectzomboid: Reader = {
  rules: [
    ["version", "version", text, "Version of the game"],
    ["mods", "mods", modNames(";"), "Mods, as many as the rule has room for"],
    ["modCount", "modCount", count, "How many mods there are"],
    ["pvp", "pvp", flag, "Whether players may hurt each other"],
    ["open", "whitelist", notFlag, "Whether only known players may join"],
    ["public", "public", flag, "Whether the server wants to be listed"],
    ["description", "description", text, "What the server says of itself"]
  ],
  gathered: [
    [/^description:\d+\/\d+$/, "description", (values) => text(values.join("")), "What the server says of itself"]
  ]
}

/** Space Engineers: the name of the map is the world's. */
export const spaceengineers: Reader = {
  separator: " ",
  keywords: [
    ["groupId", "group", text, "Steam group whose members may join, 0 for everybody"],
    ["version", "gameVersion", count, "Version of the game"],
    ["datahash", "contentHash", text, "Hash of the content"],
    ["mods", "modCount", count, "How many mods there are"],
    ["gamemodeC", "mode", means("creative"), "Creative"],
    [
      "gamemodeS",
      "mode",
      (value) => (/^(\d+-\d+-\d+)?$/.test(value) ? "survival" : undefined),
      "Survival; the numbers multiply inventories, assemblers and refineries"
    ],
    ["view", "viewDistance", count, "How far one sees, in metres"]
  ],
  rules: [["mods", "modCount", count, "How many mods there are"]],
  gathered: [[/^mod\d+$/, "mods", (values) => values.map((name) => ({ name })), "Mods"]]
}

/** Avorion: INFO has no version. */
export const avorion: Reader = {
  rules: [
    ["version", "version", text, "Version of the game"],
    ["difficulty", "difficulty", text, "Difficulty"],
    ["scenario", "mode", text, "Scenario"],
    ["description", "description", text, "What the server says of itself"],
    ["collision_damage", "collisionDamage", text, "Damage by collisions"]
  ]
}

/** 7 Days to Die. Its keywords are packed settings, whose form was never told. */
export const sdtd: Reader = {
  reported: true,
  rules: [
    ["GameMode", "mode", text, "Game mode"],
    ["LevelName", "world", text, "World"],
    ["GameName", "save", text, "Name of the saved game"],
    ["CurrentServerTime", "gameTime", count, "Time in the game: a day has 24000"],
    ["ServerDescription", "description", text, "What the server says of itself"],
    ["ServerWebsiteURL", "url", text, "Page of the server"]
  ]
}

/** Soulmask: INFO's version is always 1.0.0.0. */
export const soulmask: Reader = {
  reported: true,
  rules: [["NO_s", "version", text, "Version of the game"]]
}

/** Insurgency: Sandstorm. */
export const sandstorm: Reader = {
  reported: true,
  rules: [
    ["GameMode_s", "mode", text, "Game mode"],
    ["PlrC_i", "players", count, "Players on the server"],
    ["PlrM_i", "maxPlayers", count, "Most players"],
    ["Pwd_b", "password", flag, "Whether joining takes a password"],
    ["Mutators_s", "mutators", list(","), "What changes the game"],
    ["ModList_s", "mods", modIds(","), "Mods, by their number at mod.io"],
    ["Coop_b", "coop", flag, "Players against the computer"],
    ["OfficialRuleset_b", "officialRules", flag, "The makers' rules"],
    ["RankedServer_b", "ranked", flag, "Play counts for ranks"]
  ]
}
