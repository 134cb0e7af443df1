/** A2S_RULES: the server's console variables. */
import { MAX_RULES } from "../Limits.ts"
import { returnedChallenge } from "./challenge.ts"
import type { Declarations } from "./Declaration.ts"

export const rules: Declarations = {
  RulesRequest: {
    valve: "A2S_RULES",
    direction: "request",
    doc: "Requests the rules. A request with challenge −1 requests a challenge.",
    sources: "000, 001, 003, 004",
    fields: [returnedChallenge]
  },
  RulesReply: {
    valve: "S2A_RULES",
    direction: "reply",
    doc: "The rules, in the order of the datagram. Duplicates are included, and values are not changed.",
    sources: "000, 001, 003, 004; recordings of Xash3D (the count is 0, although rules follow)",
    fast: true,
    fields: [
      {
        kind: "list",
        name: "rules",
        doc: "The complete entries.",
        entryName: "rule",
        max: MAX_RULES,
        limit: "MAX_RULES",
        count: { kind: "u16", name: "announced", doc: "The number of entries that the server announces." },
        entry: [
          { kind: "text", name: "name", doc: "Name of the console variable." },
          { kind: "text", name: "value", doc: "Value of the console variable, as sent." }
        ]
      }
    ]
  }
}
