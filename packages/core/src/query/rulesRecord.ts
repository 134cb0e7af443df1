/** Converts a server's rules to a record. */
import type { RulesReply } from "@sourcewire/protocol"
import { demand, copyProperties } from "../edge.ts"

/**
 * Returns a server's rules by name. If a name occurs several times, the record contains the last value of this name. The record has no
 * prototype, because the server chooses the names, and a name could be `__proto__`.
 */
export const rulesRecord = (reply: RulesReply): Readonly<Record<string, string>> => {
  const { rules } = copyProperties("reply", reply)
  demand("reply", "a reply with rules", Array.isArray, rules)
  const record: Record<string, string> = Object.create(null)
  for (const rule of rules) {
    const { name, value } = copyProperties("rule", rule)
    record[name] = value
  }
  return record
}
