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

/** The fields of the session, if the game sends them as keywords. A colon separates the key and the value. */
export const unrealKeywords: ReadonlyArray<Field> = unrealRules.map(([key, ...field]) => [`${key}:`, ...field])

/** The reader for games that report only the fields of the session. */
export const unreal: Reader = { keywords: unrealKeywords, rules: unrealRules }
