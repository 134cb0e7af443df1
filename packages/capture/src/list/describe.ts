/** Summarizes a message in one line, for lists. */
import type { Message } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"

/** Returns Valve's name of a message, or the `_tag` of the message if Valve has no name for the message. */
export const messageName = (tag: Message["_tag"]): string => findDeclaration(tag)?.valve ?? tag

/**
 * Returns a text of one line with the most important values of a message. The result can contain text from the sender, with control
 * characters: escape the result before you show it.
 */
export const describe = (message: Message): string => {
  switch (message._tag) {
    case "InfoReply":
    case "GoldSourceInfoReply":
      return `${message.name} · ${message.map} · ${message.players}/${message.maxPlayers} players`
    case "PlayersReply":
      return counted(message.players.length, message.announced, "player", message.truncated)
    case "RulesReply":
      return counted(message.rules.length, message.announced, "rule", message.truncated)
    case "MasterReply":
      return `${plural(message.servers.length, "server")}${message.complete ? ", the last page" : ""}`
    case "ChallengeReply":
      return `challenge ${message.challenge}`
    case "PrintReply":
    case "ConnectionRejected":
      return quoted(message.text)
    case "RconRequest":
      return quoted(message.command)
    case "LogLine":
    case "SecretLogLine":
    case "GoldSourceLogLine":
      return message.line.trimEnd()
    case "UnknownMessage":
    case "ConnectionMessage":
      return `type 0x${message.type.toString(16).padStart(2, "0")}, ${plural(message.payload.length / 2, "byte")} of payload`
    default:
      return firstValues(message)
  }
}

const counted = (arrived: number, announced: number, noun: string, truncated: boolean): string =>
  truncated ? `${arrived} of ${announced} ${noun}s, truncated` : plural(arrived, noun)

/** Returns a number with a noun in the singular or plural, as in `2 servers`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const quoted = (text: string): string => (text.trim() === "" ? "empty text" : `“${text.trim()}”`)

const firstValues = (message: Message): string =>
  Object.entries(message)
    .filter(([key, value]) => key !== "_tag" && typeof value !== "object" && value !== "")
    .slice(0, 3)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ")
