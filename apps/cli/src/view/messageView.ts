/**
 * Formats any message. Replies to INFO are shown as a card, and replies to PLAYER and RULES as lists. All other messages are shown field by
 * field.
 */
import type { Message } from "@sourcewire/protocol"
import { type Joined, findDeclaration } from "@sourcewire/protocol/wire"
import { safe } from "../output/text.ts"
import { type CardLine, body, heading, remarks, infoCard } from "./card.ts"
import type { Canvas } from "../output/output.ts"
import { playersTable, rulesList } from "./lists.ts"
import { plural } from "./quantities.ts"

/** The title of a message: the name in Sourcewire, and Valve's name in parentheses, for example `ChallengeReply (S2C_CHALLENGE)`. */
export const messageTitle = (message: Message): string => `${message._tag} (${findDeclaration(message._tag)!.valve})`

export const formatSplit = ({ compressed, layout, total }: Pick<Joined, "compressed" | "layout" | "total">): string =>
  `${plural(total, "fragment")}, ${layout} layout${compressed ? ", bzip2" : ""}`

const fieldLines = (value: object, prefix: string): ReadonlyArray<CardLine> =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]): ReadonlyArray<CardLine> => {
    if (prefix === "" && (key === "_tag" || key === "trailing" || key === "truncated")) return []
    const label = prefix + key
    if (typeof inner === "object" && inner !== null) {
      return fieldLines(inner, Array.isArray(value) ? `${prefix.slice(0, -1)}[${key}].` : `${label}.`)
    }
    const text = String(inner)
    return [{ label, text: text === "" ? '""' : safe(text) }]
  })

/** The lines that show a message. `aside` is the text on the right of the heading. */
export const messageView = (message: Message, aside: string, canvas: Canvas): ReadonlyArray<string> => {
  switch (message._tag) {
    case "InfoReply":
    case "GoldSourceInfoReply":
      return infoCard(message, aside, canvas)
    case "PlayersReply":
      return [
        heading(`${messageTitle(message)}: ${message.players.length}`, aside, canvas),
        ...playersTable(message, canvas)
      ]
    case "RulesReply":
      return [
        heading(`${messageTitle(message)}: ${message.rules.length}`, aside, canvas),
        ...rulesList(message, canvas)
      ]
    default:
      return [
        heading(messageTitle(message), aside, canvas),
        ...body(fieldLines(message, ""), canvas),
        ...remarks(message, canvas)
      ]
  }
}
