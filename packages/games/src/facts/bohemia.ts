/** Keywords and rules of Arma and DayZ: https://community.bistudio.com/wiki/Arma_3:_STEAMWORKSquery has Arma's. */
import type { Reader } from "./declaration.ts"
import { count, flag, matching, means, number, oneOf, text, whole } from "./kinds.ts"

/** Arma 2 and Arma 3: every keyword is a letter and its value. */
export const arma: Reader = {
  binary: "arma3",
  keywords: [
    { key: "b", fact: "battlEye", as: flag, says: "Protected by BattlEye" },
    { key: "r", fact: "requiredVersion", as: count, says: "Version of the game that players need, times 100" },
    { key: "n", fact: "requiredBuild", as: count, says: "Build of the game that players need" },
    {
      key: "s",
      fact: "state",
      as: oneOf({
        0: "no server",
        1: "no mission",
        2: "mission edited",
        3: "roles assigned",
        4: "mission sent",
        5: "loading",
        6: "briefing",
        7: "playing",
        8: "debriefing",
        9: "mission aborted"
      }),
      says: "What the server is at"
    },
    { key: "i", fact: "difficulty", as: whole, says: "Difficulty, -1 while there is no mission" },
    { key: "m", fact: "equalMods", as: flag, says: "Players need the same mods" },
    { key: "l", fact: "locked", as: flag, says: "Nobody may join" },
    { key: "v", fact: "verifySignatures", as: flag, says: "Signatures of mods are checked" },
    { key: "d", fact: "dedicated", as: flag, says: "A dedicated server" },
    { key: "t", fact: "mode", as: text, says: "Type of the mission" },
    { key: "g", fact: "language", as: count, says: "Language, as Windows numbers them" },
    { key: "h", fact: "contentHash", as: text, says: "Hash of the content that is loaded" },
    {
      key: "c",
      fact: "coordinates",
      as: matching(/^-?\d{1,3}--?\d{1,3}$/),
      says: "Where the server stands: longitude and latitude, with a dash between"
    },
    { key: "p", fact: "platform", as: oneOf({ w: "windows", l: "linux" }), says: "System of the server" },
    { key: "o", fact: "country", as: text, says: "Country of the server" },
    { key: "y", fact: "island", as: text, says: "Island" },
    { key: "e", fact: "minutesLeft", as: count, says: "Minutes that the mission has left" },
    { key: "j", fact: "param1", as: whole, says: "First parameter of the mission" },
    { key: "k", fact: "param2", as: whole, says: "Second parameter of the mission" },
    {
      key: "f",
      fact: "filePatching",
      as: oneOf({ 0: "nobody", 1: "headless clients", 2: "everybody" }),
      says: "Whose files may be patched"
    }
  ]
}

/** DayZ, since its own game; the mod for Arma 2 is as Arma. */
export const dayz: Reader = {
  binary: "dayz",
  keywords: [
    { key: "battleye", fact: "battlEye", as: means(true), says: "Protected by BattlEye" },
    { key: "no3rd", fact: "thirdPerson", as: means(false), says: "First person only" },
    { key: "external", fact: "external", as: means(true), says: "Run by the community" },
    { key: "privHive", fact: "privateHive", as: means(true), says: "Characters are kept for this server alone" },
    { key: "shard", fact: "shard", as: text, says: "Servers of one shard share characters" },
    { key: "lqs", fact: "queue", as: count, says: "Players who wait to join" },
    { key: "etm", fact: "dayAcceleration", as: number, says: "How much faster than real time days pass" },
    { key: "entm", fact: "nightAcceleration", as: number, says: "How much faster nights pass, on top of that" },
    { key: "mod", fact: "modded", as: means(true), says: "Players need mods" },
    { key: "port", fact: "gamePort", as: count, says: "Port that players join" },
    { key: "whitelisting", fact: "whitelist", as: means(true), says: "Only listed players may join" },
    { key: "allowedFilePatching", fact: "filePatching", as: means(true), says: "Clients may patch files" },
    { key: "isDLC", fact: "dlc", as: means(true), says: "Players need a DLC" },
    { key: "", fact: "timeOfDay", as: matching(/^\d\d:\d\d$/), says: "Time of day in the game" }
  ],
  rules: [
    { key: "allowedBuild", fact: "allowedBuild", as: count, says: "Build of the game that may join" },
    { key: "requiredBuild", fact: "requiredBuild", as: count, says: "Build of the game that players need" },
    { key: "requiredVersion", fact: "requiredVersion", as: count, says: "Version of the game that players need" },
    { key: "island", fact: "island", as: text, says: "Island" },
    { key: "language", fact: "language", as: count, says: "Language, as Windows numbers them" },
    { key: "platform", fact: "platform", as: oneOf({ win: "windows", linux: "linux" }), says: "System of the server" },
    { key: "dedicated", fact: "dedicated", as: flag, says: "A dedicated server" },
    { key: "timeLeft", fact: "minutesLeft", as: count, says: "Minutes until the server restarts" }
  ]
}
