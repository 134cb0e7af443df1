/** Filters a list of messages by server, conversation, type, errors and words. */
import type { Message } from "@sourcewire/protocol"

/** Both ends of a datagram as `host:port`, if they are known. */
export interface Ends {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The conditions of a filter. An empty text matches everything. */
export interface Filter {
  /** Words that must all occur in the line, in any case. */
  readonly words: string
  /** `host:port` or host of a server, or a conversation as {@link formatConversation} returns it. */
  readonly ends: string
  /** Valve's name of the message, or its `_tag`. */
  readonly type: string
  readonly faulty: boolean
}

/** A message in a list. */
export interface Listed extends Ends {
  /** The name of the message; see `messageName`. */
  readonly name: string
  readonly tag?: Message["_tag"] | undefined
  readonly summary: string
  /** Whether the message has an error. */
  readonly isFaulty: boolean
}

/** A name for both ends of a datagram, equal in both directions; `undefined` if the ends are not known. */
export const formatConversation = ({ from, to }: Ends): string | undefined =>
  from === undefined || to === undefined ? undefined : from < to ? `${from} ↔ ${to}` : `${to} ↔ ${from}`

const hasEnd = (ends: Ends, wanted: string): boolean =>
  [ends.from, ends.to].some((end) => end === wanted || end?.slice(0, end.lastIndexOf(":")) === wanted) ||
  formatConversation(ends) === wanted

/** Returns a test whether a text contains all of these words, in any case. */
export const hasWords = (words: string): ((text: string) => boolean) => {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return (text) => {
    const lower = text.toLowerCase()
    return wanted.every((word) => lower.includes(word))
  }
}

/** Returns a test whether a message matches a filter. */
export const passing = ({ ends, faulty, type, words }: Filter): ((line: Listed) => boolean) => {
  const matchesWords = hasWords(words)
  const tag = type.toLowerCase()
  return (line) => {
    const { from = "", isFaulty, name, summary, to = "" } = line
    if (faulty && !isFaulty) return false
    if (tag !== "" && name.toLowerCase() !== tag && line.tag?.toLowerCase() !== tag) return false
    if (ends !== "" && !hasEnd(line, ends)) return false
    return words === "" || matchesWords(`${from} ${to} ${name} ${line.tag ?? ""} ${summary}`)
  }
}
