/** A server's public settings, in columns. */
import type { RulesReply } from "@sourcewire/protocol"
import { inColumns } from "../output/columns.ts"
import { uncoloured } from "../output/colours.ts"
import { safe } from "../output/text.ts"
import type { Canvas } from "./card.ts"
import { remark } from "./card.ts"
import { remarksOn } from "./remarks.ts"

/** Lines of the rules in the order sent, the long ones last. */
export const rulesList = (reply: RulesReply, canvas: Canvas): ReadonlyArray<string> => {
  const pairs = reply.rules.map(({ name, value }) => ({
    name: safe(name),
    value: value === "" ? '""' : uncoloured(value)
  }))
  return [
    ...(pairs.length === 0
      ? [`  ${canvas.palette.faint("The server has no public settings.")}`]
      : inColumns(pairs, { ...canvas, indent: "  " })),
    ...remarksOn(reply).flatMap((text) => remark(text, canvas))
  ]
}
