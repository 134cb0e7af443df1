/** The fields that every game on Unreal Engine reports through its Steam session. */
import type { Field, Reader } from "./declaration.ts"
import { count, text } from "./kinds.ts"

/** As rules. */
export const unrealRules: ReadonlyArray<Field> = [
  ["BUILDID", "build", text, "Build"],
  ["OWNINGID", "steamId", text, "SteamID"],
  ["OWNINGNAME", "owner", text, "Owner"],
  ["P2PADDR", "relayAddress", text, "Relay address"],
  ["P2PPORT", "gamePort", count, "Game port"],
  ["SESSIONFLAGS", "sessionFlags", count, "Session flags"]
]

/** As keywords, with a colon before the value. */
export const unrealKeywords: ReadonlyArray<Field> = unrealRules.map(([key, ...field]) => [`${key}:`, ...field])

/** Both, for games that report nothing else. */
export const unreal: Reader = { keywords: unrealKeywords, rules: unrealRules }
