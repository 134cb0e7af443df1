/** What every game on Unreal Engine says through its Steam sessions. */
import type { Field, Reader } from "./declaration.ts"
import { count, text } from "./kinds.ts"

/** As rules. */
export const unrealRules: ReadonlyArray<Field> = [
  ["BUILDID", "build", text, "Build of the server"],
  ["OWNINGID", "steamId", text, "SteamID of the server"],
  ["OWNINGNAME", "owner", text, "Name of the server, or its SteamID"],
  ["P2PADDR", "relayAddress", text, "SteamID by which Steam's relays find the server"],
  ["P2PPORT", "gamePort", count, "Port that players join"],
  ["SESSIONFLAGS", "sessionFlags", count, "Settings of the session, as bits"]
]

/** As keywords, with a colon before the value. */
export const unrealKeywords: ReadonlyArray<Field> = unrealRules.map(([key, ...field]) => [`${key}:`, ...field])

/** Both, of games that say nothing more. */
export const unreal: Reader = { keywords: unrealKeywords, rules: unrealRules }
