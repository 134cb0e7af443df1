/** Keywords and rules of Arma and DayZ. Arma's keywords are documented at https://community.bistudio.com/wiki/Arma_3:_STEAMWORKSquery. */
import type { Reader } from "./declaration.ts"
import { count, flag, matching, means, number, oneOf, text, whole } from "./kinds.ts"

/** Arma 2 and Arma 3: every keyword is a letter, followed by a value. */
export const arma: Reader = {
  binary: "arma3",
  keywords: [
    ["b", "battlEye", flag, "BattlEye"],
    ["r", "requiredVersion", count, "Required version", "hundredths"],
    ["n", "requiredBuild", count, "Required build"],
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
      "State"
    ],
    ["i", "difficulty", whole, "Difficulty"],
    ["m", "equalMods", flag, "Same mods required"],
    ["l", "locked", flag, "Locked"],
    ["v", "verifySignatures", flag, "Mod signatures checked"],
    ["d", "dedicated", flag, "Dedicated"],
    ["t", "mode", text, "Mission type"],
    ["g", "language", count, "Windows language code"],
    ["h", "contentHash", text, "Content hash"],
    ["c", "coordinates", matching(/^-?\d{1,3}--?\d{1,3}$/), "Longitude and latitude"],
    ["p", "platform", oneOf({ w: "windows", l: "linux" }), "Platform"],
    ["o", "country", text, "Country"],
    ["y", "island", text, "Island"],
    ["e", "minutesLeft", count, "Mission time left", "minutes"],
    ["j", "param1", whole, "Mission parameter 1"],
    ["k", "param2", whole, "Mission parameter 2"],
    ["f", "filePatching", oneOf({ 0: "nobody", 1: "headless clients", 2: "everybody" }), "File patching"]
  ]
}

/** The separate game DayZ. The mod DayZ for Arma 2 uses the reader `arma`. */
export const dayz: Reader = {
  binary: "dayz",
  keywords: [
    ["battleye", "battlEye", means(true), "BattlEye"],
    ["no3rd", "thirdPerson", means(false), "Third person"],
    ["external", "external", means(true), "Community server"],
    ["privHive", "privateHive", means(true), "Private hive"],
    ["shard", "shard", text, "Shard"],
    ["lqs", "queue", count, "Waiting to join"],
    ["etm", "dayAcceleration", number, "Day speed", "times"],
    ["entm", "nightAcceleration", number, "Night speed, on top of the day's", "times"],
    ["mod", "modded", means(true), "Modded"],
    ["port", "gamePort", count, "Game port"],
    ["whitelisting", "whitelist", means(true), "Whitelist"],
    ["allowedFilePatching", "filePatching", means(true), "File patching"],
    ["isDLC", "dlc", means(true), "DLC required"],
    ["", "timeOfDay", matching(/^\d\d:\d\d$/), "Time of day"]
  ],
  rules: [
    ["allowedBuild", "allowedBuild", count, "Allowed build"],
    ["requiredBuild", "requiredBuild", count, "Required build"],
    ["requiredVersion", "requiredVersion", count, "Required version"],
    ["island", "island", text, "Island"],
    ["language", "language", count, "Windows language code"],
    ["platform", "platform", oneOf({ win: "windows", linux: "linux" }), "Platform"],
    ["dedicated", "dedicated", flag, "Dedicated"],
    ["timeLeft", "minutesLeft", count, "Time until restart", "minutes"]
  ]
}
