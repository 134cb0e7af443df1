/** The fields of the Steam session, which all games on Unreal Engine report. */
import type { Field, Reader } from "./declaration.ts"
import { count, text } from "./kinds.ts"

/** The fields of the session, if the game sends them as rules. */
export const unrealRules: ReadonlyArray<Field> = [
  ["BUILDID", "build", text, "Build"],
  ["OWNINGID", "steamId", text, "SteamID"],
  ["OWNINGNAME", "owner", text, "Owner"],
  ["P2PADDR", "relayAddress", text, "Relay address"],
  ["P2PPORT", "gamePort", count, "Game port"],
  ["SESSIONFLAGS", "sessionFlags", count, "Session flags"]
]

/** The fields as keywords, with a colon before the value. */
export const unrealKeywords: ReadonlyArray<Field> = unrealRules.map(([key, ...field]) => [`${key}:`, ...field])

/** Keywords and rules of games that report only these fields. */
export const unreal: Reader = { keywords: unrealKeywords, rules: unrealRules }
