/** What a reader should know about how a message came: what was truncated, what was guessed, what was left over. */
import type { Message } from "@sourcewire/protocol"
import { plural } from "./quantities.ts"

const guessedIn = (value: unknown, names: Set<string>): void => {
  if (typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    for (const entry of value) guessedIn(entry, names)
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key.endsWith("Hex") && typeof inner === "string") names.add(key.slice(0, -"Hex".length))
    else guessedIn(inner, names)
  }
}

/** How many entries of a list came, of how many; `undefined` for a whole list and for other messages. */
const truncation = (message: Message): string | undefined => {
  if (!("truncated" in message) || message.truncated !== true) return undefined
  if (message._tag === "PlayersReply") {
    return `Truncated: the server announced ${plural(message.announced, "player")}, ${message.players.length} arrived whole.`
  }
  if (message._tag === "RulesReply") {
    return `Truncated: the server announced ${plural(message.announced, "rule")}, ${message.rules.length} arrived whole.`
  }
  return "Truncated: something that was announced did not arrive whole."
}

/** Sentences, none for a regular message. */
export const remarksOn = (message: Message): ReadonlyArray<string> => {
  const remarks: Array<string> = []
  const truncated = truncation(message)
  if (truncated !== undefined) remarks.push(truncated)
  const guessed = new Set<string>()
  guessedIn(message, guessed)
  if (guessed.size > 0) {
    remarks.push(
      `Guessed: ${[...guessed].join(", ")} ${guessed.size === 1 ? "is" : "are"} not clean text in the expected encoding and may read wrongly; --encoding names another, --json shows the bytes.`
    )
  }
  if ("trailing" in message && typeof message.trailing === "string") {
    remarks.push(`Left over: ${plural(message.trailing.length / 2, "byte")} after the message; --json shows them.`)
  }
  return remarks
}
