/** What every game on Unreal Engine says through its Steam sessions. */
import type { Field } from "./declaration.ts"
import { count, text } from "./kinds.ts"

/** As rules. */
export const unrealRules: ReadonlyArray<Field> = [
  { key: "BUILDID", fact: "build", as: text, says: "Build of the server" },
  { key: "OWNINGID", fact: "steamId", as: text, says: "SteamID of the server" },
  { key: "OWNINGNAME", fact: "owner", as: text, says: "Name of the server, or its SteamID" },
  { key: "P2PADDR", fact: "relayAddress", as: text, says: "SteamID by which Steam's relays find the server" },
  { key: "P2PPORT", fact: "gamePort", as: count, says: "Port that players join" },
  { key: "SESSIONFLAGS", fact: "sessionFlags", as: count, says: "Settings of the session, as bits" }
]

/** As keywords, with a colon before the value. */
export const unrealKeywords: ReadonlyArray<Field> = unrealRules.map((field) => ({ ...field, key: `${field.key}:` }))
