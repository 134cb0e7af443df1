/** A server's rules by name. */
import type { RulesReply } from "@sourcewire/protocol"
import { demand, partsOf } from "../edge.ts"

/** A server's rules by name; of two rules with one name the last counts. Names are the server's choice, so there is no prototype. */
export const rulesRecord = (reply: RulesReply): Readonly<Record<string, string>> => {
  const { rules } = partsOf("reply", reply)
  demand("reply", "a reply with rules", Array.isArray, rules)
  const record: Record<string, string> = Object.create(null)
  for (const rule of rules) {
    const { name, value } = partsOf("rule", rule)
    record[name] = value
  }
  return record
}
