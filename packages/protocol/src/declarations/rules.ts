/** A2S_RULES: what are your rules. */
import { MAX_RULES } from "../Limits.ts"
import { broughtBack } from "./challenge.ts"
import type { Declarations } from "./Declaration.ts"

export const rules: Declarations = {
  RulesRequest: {
    valve: "A2S_RULES",
    direction: "request",
    doc: "Asks for the rules. With challenge −1 it asks for a challenge first.",
    sources: "000, 001, 003, 004",
    fields: [broughtBack]
  },
  RulesReply: {
    valve: "S2A_RULES",
    direction: "reply",
    doc: "The rules in the order sent, duplicates kept, values verbatim.",
    sources: "000, 001, 003, 004; a count of 0 before rules: recordings of Xash3D",
    fast: true,
    fields: [
      {
        kind: "list",
        name: "rules",
        doc: "The rules that arrived whole.",
        entryName: "rule",
        max: MAX_RULES,
        limit: "MAX_RULES",
        count: { kind: "u16", name: "announced", doc: "The count field." },
        entry: [
          { kind: "text", name: "name", doc: "Name of the console variable." },
          { kind: "text", name: "value", doc: "Its value, as sent." }
        ]
      }
    ]
  }
}
