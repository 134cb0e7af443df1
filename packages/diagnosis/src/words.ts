/** Formats names, durations, lists and quotations for the texts of findings. */
import type { Message } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"

const NAMES: Readonly<Partial<Record<Message["_tag"], string>>> = {
  InfoRequest: "INFO",
  PlayersRequest: "PLAYER",
  RulesRequest: "RULES",
  PingRequest: "PING"
}

/** Returns the name of a request, for example `INFO`. */
export const requestName = (tag: Message["_tag"]): string => NAMES[tag] ?? findDeclaration(tag)?.valve ?? tag

/** Returns a duration as a text, in ms or s. */
export const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** Joins words into a text, as in `a, b and c`. */
export const enumeration = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** Returns the text in quotation marks, on one line. Truncates texts of more than `max` characters. */
export const quoted = (text: string, max = 60): string => {
  const characters = Array.from(text.trim().replaceAll(/\s*[\r\n]+\s*/g, " "))
  return `“${characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : characters.join("")}”`
}
