/** Keywords and rules of Arma and DayZ: https://community.bistudio.com/wiki/Arma_3:_STEAMWORKSquery has Arma's. */
import type { Reader } from "./declaration.ts"
import { count, flag, matching, means, number, oneOf, text, whole } from "./kinds.ts"

/** Arma 2 and Arma 3: every keyword is a letter and its value. */
export const arma: Reader = {
  binary: "arma3",
  keywords: [
    ["b", "battlEye", flag, "Protected by BattlEye"],
    ["r", "requiredVersion", count, "Version of the game that players need, times 100"],
    ["n", "requiredBuild", count, "Build of the game that players need"],
    [
      "s",
      "state",
      oneOf({
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
      "What the server is at"
    ],
    ["i", "difficulty", whole, "Difficulty, -1 while there is no mission"],
    ["m", "equalMods", flag, "Players need the same mods"],
    ["l", "locked", flag, "Nobody may join"],
    ["v", "verifySignatures", flag, "Signatures of mods are checked"],
    ["d", "dedicated", flag, "A dedicated server"],
    ["t", "mode", text, "Type of the mission"],
    ["g", "language", count, "Language, as Windows numbers them"],
    ["h", "contentHash", text, "Hash of the content that is loaded"],
    [
      "c",
      "coordinates",
      matching(/^-?\d{1,3}--?\d{1,3}$/),
      "Where the server stands: longitude and latitude, with a dash between"
    ],
    ["p", "platform", oneOf({ w: "windows", l: "linux" }), "System of the server"],
    ["o", "country", text, "Country of the server"],
    ["y", "island", text, "Island"],
    ["e", "minutesLeft", count, "Minutes that the mission has left"],
    ["j", "param1", whole, "First parameter of the mission"],
    ["k", "param2", whole, "Second parameter of the mission"],
    ["f", "filePatching", oneOf({ 0: "nobody", 1: "headless clients", 2: "everybody" }), "Whose files may be patched"]
  ]
}

/** DayZ, since its own game; the mod for Arma 2 is as Arma. */
export const dayz: Reader = {
  binary: "dayz",
  keywords: [
    ["battleye", "battlEye", means(true), "Protected by BattlEye"],
    ["no3rd", "thirdPerson", means(false), "First person only"],
    ["external", "external", means(true), "Run by the community"],
    ["privHive", "privateHive", means(true), "Characters are kept for this server alone"],
    ["shard", "shard", text, "Servers of one shard share characters"],
    ["lqs", "queue", count, "Players who wait to join"],
    ["etm", "dayAcceleration", number, "How much faster than real time days pass"],
    ["entm", "nightAcceleration", number, "How much faster nights pass, on top of that"],
    ["mod", "modded", means(true), "Players need mods"],
    ["port", "gamePort", count, "Port that players join"],
    ["whitelisting", "whitelist", means(true), "Only listed players may join"],
    ["allowedFilePatching", "filePatching", means(true), "Clients may patch files"],
    ["isDLC", "dlc", means(true), "Players need a DLC"],
    ["", "timeOfDay", matching(/^\d\d:\d\d$/), "Time of day in the game"]
  ],
  rules: [
    ["allowedBuild", "allowedBuild", count, "Build of the game that may join"],
    ["requiredBuild", "requiredBuild", count, "Build of the game that players need"],
    ["requiredVersion", "requiredVersion", count, "Version of the game that players need"],
    ["island", "island", text, "Island"],
    ["language", "language", count, "Language, as Windows numbers them"],
    ["platform", "platform", oneOf({ win: "windows", linux: "linux" }), "System of the server"],
    ["dedicated", "dedicated", flag, "A dedicated server"],
    ["timeLeft", "minutesLeft", count, "Minutes until the server restarts"]
  ]
}
