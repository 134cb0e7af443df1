/** Keywords and rules of survival and building games. */
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

/**
 * Rust: the true counts are in the keywords. INFO has only one byte for each count, and its player count includes players who wait to
 * join.
 */
export const rust: Reader = {
  keywords: [
    ["cp", "players", count, "Players"],
    ["mp", "maxPlayers", count, "Player limit"],
    ["qp", "queue", count, "Waiting to join"],
    ["v", "networkVersion", count, "Network version"],
    ["h", "contentHash", matching(/^[0-9a-f]{8}$/), "Assembly hash"],
    ["born", "born", unixTime, "Last wipe", "date"],
    ["gm", "mode", text, "Mode"],
    ["pt", "transport", oneOf({ rak: "RakNet", sw: "Steam" }), "Transport"],
    ["st", "state", oneOf({ ok: "ok" }), "State"],
    ["oxide", "oxide", means(true), "Oxide plugins"],
    ["carbon", "carbon", means(true), "Carbon plugins"],
    ["modded", "modded", means(true), "Modded"],
    ["vanilla", "modded", means(false), "Modded"],
    ["pve", "pve", means(true), "PvE"],
    ["softcore", "softcore", means(true), "Softcore"],
    ["hardcore", "hardcore", means(true), "Hardcore"],
    ["weekly", "wipes", means("weekly"), "Wipe schedule"],
    ["biweekly", "wipes", means("biweekly"), "Wipe schedule"],
    ["monthly", "wipes", means("monthly"), "Wipe schedule"]
  ],
  rules: [
    ["world.seed", "seed", count, "Map seed"],
    ["world.size", "worldSize", count, "Map size", "metres"],
    ["pve", "pve", flag, "PvE"],
    ["uptime", "uptimeSeconds", count, "Uptime", "seconds"],
    ["fps", "framesPerSecond", number, "Frames per second"],
    ["fps_avg", "framesPerSecondAverage", number, "Frames per second, average"],
    ["ent_cnt", "entities", count, "Entities"],
    ["url", "url", text, "Website"],
    ["headerimage", "headerImage", text, "Header image"],
    ["gmt", "modeTitle", text, "Mode title"],
    ["build", "build", text, "Build"]
  ],
  gathered: [[/^description_\d\d$/, "description", paragraphs, "Description"]]
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
    ["NUMOPENPUBCONN:", "freeSlots", count, "Free slots"],
    ["LEGACY_i:", "legacy", flag, "Legacy server"]
  ],
  rules: [
    ["NUMOPENPUBCONN", "freeSlots", count, "Free slots"],
    ...unrealRules,
    ["ServerPassword_b", "password", flag, "Password"],
    ["SESSIONISPVE_i", "mode", oneOf({ 0: "pvp", 1: "pve" }), "Mode"],
    ["OFFICIALSERVER_i", "official", flag, "Official server"],
    ["SERVERUSESBATTLEYE_b", "battlEye", flag, "BattlEye"],
    ["DayTime_s", "dayTime", text, "Day or time in the game"],
    ["DAYTIME_s", "timeOfDay", text, "Time of day"],
    ["ClusterId_s", "cluster", text, "Cluster"],
    ["NumReservedSlots_i", "reserved", count, "Reserved slots"],
    ["ATLASFRIENDLYNAME_s", "atlas", text, "World"],
    ["ISHOMESERVER_b", "homeServer", flag, "Home server"],
    ["BuildId_s", "build", text, "Build"]
  ],
  gathered: [[/^MOD\d+_s$/, "mods", workshopMods, "Mods"]]
}

/** Conan Exiles. Most of its rules (`S05_b` and so on) are not documented. */
export const conanexiles: Reader = unreal

/** Unturned. The last keyword contains the settings of the server in a format that only Unturned uses. */
export const unturned: Reader = {
  keywords: [
    ["PVP", "mode", means("pvp"), "Mode"],
    ["PVE", "mode", means("pve"), "Mode"],
    ["EASY", "difficulty", means("easy"), "Difficulty"],
    ["NORMAL", "difficulty", means("normal"), "Difficulty"],
    ["HARD", "difficulty", means("hard"), "Difficulty"],
    ["BOTH", "camera", means("both"), "Camera"],
    ["FIRST", "camera", means("first"), "Camera"],
    ["THIRD", "camera", means("third"), "Camera"]
  ],
  rules: [
    ["rocket", "rocket", text, "Rocket version"],
    ["rocketplugins", "plugins", list(","), "Plugins"]
  ]
}

/** Valheim: the version is in the keywords; INFO's version is always 1.0.0.0. */
export const valheim: Reader = {
  keywords: [
    ["g=", "version", text, "Version"],
    ["n=", "networkVersion", count, "Network version"],
    ["m=", "modifiers", anyText, "World modifiers"],
    ["", "version", matching(/^\d+\.\d+\.\d+$/), "Version"]
  ]
}

/**
 * Project Zomboid. The server truncates a list of mods that is too long for one rule. Even then, `modCount` is the number of all mods.
 * Since build 42, INFO's version is always 1.0.0.0, and the real version is in the keywords.
 */
export const projectzomboid: Reader = {
  separator: ";",
  keywords: [
    ["VERSION:", "version", text, "Version"],
    ["modded", "modded", means(true), "Modded"],
    ["pvp", "pvp", means(true), "PvP"]
  ],
  rules: [
    ["version", "version", text, "Version"],
    ["mods", "mods", modNames(";"), "Mods"],
    ["modCount", "modCount", count, "Number of mods"],
    ["pvp", "pvp", flag, "PvP"],
    ["open", "whitelist", notFlag, "Whitelist"],
    ["public", "public", flag, "Public"],
    ["description", "description", text, "Description"]
  ],
  gathered: [[/^description:\d+\/\d+$/, "description", (values) => text(values.join("")), "Description"]]
}

/** Space Engineers: INFO's map is the name of the world. */
export const spaceengineers: Reader = {
  separator: " ",
  keywords: [
    ["groupId", "group", text, "Steam group"],
    ["version", "gameVersion", count, "Game version"],
    ["datahash", "contentHash", text, "Content hash"],
    ["mods", "modCount", count, "Number of mods"],
    ["gamemodeC", "mode", means("creative"), "Mode"],
    ["gamemodeS", "mode", (value) => (/^(\d+-\d+-\d+)?$/.test(value) ? "survival" : undefined), "Mode"],
    ["view", "viewDistance", count, "View distance", "metres"]
  ],
  rules: [["mods", "modCount", count, "Number of mods"]],
  gathered: [[/^mod\d+$/, "mods", (values) => values.map((name) => ({ name })), "Mods"]]
}

/** Avorion: INFO has no version. */
export const avorion: Reader = {
  rules: [
    ["version", "version", text, "Version"],
    ["difficulty", "difficulty", text, "Difficulty"],
    ["scenario", "mode", text, "Scenario"],
    ["description", "description", text, "Description"],
    ["collision_damage", "collisionDamage", text, "Collision damage"]
  ]
}

/** 7 Days to Die. The reader ignores the keywords, because they contain packed settings in an undocumented format. */
export const sdtd: Reader = {
  reported: true,
  rules: [
    ["GameMode", "mode", text, "Mode"],
    ["LevelName", "world", text, "World"],
    ["GameName", "save", text, "Saved game"],
    ["CurrentServerTime", "gameTime", count, "Time in the game", "gameTicks"],
    ["ServerDescription", "description", text, "Description"],
    ["ServerWebsiteURL", "url", text, "Website"]
  ]
}

/** Soulmask: INFO's version is always 1.0.0.0. */
export const soulmask: Reader = {
  reported: true,
  rules: [["NO_s", "version", text, "Version"]]
}

/** Insurgency: Sandstorm. */
export const sandstorm: Reader = {
  reported: true,
  rules: [
    ["GameMode_s", "mode", text, "Mode"],
    ["PlrC_i", "players", count, "Players"],
    ["PlrM_i", "maxPlayers", count, "Player limit"],
    ["Pwd_b", "password", flag, "Password"],
    ["Mutators_s", "mutators", list(","), "Mutators"],
    ["ModList_s", "mods", modIds(","), "Mods"],
    ["Coop_b", "coop", flag, "Co-op"],
    ["OfficialRuleset_b", "officialRules", flag, "Official rules"],
    ["RankedServer_b", "ranked", flag, "Ranked"]
  ]
}
