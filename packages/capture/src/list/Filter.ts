/** Filters a list of messages by server, conversation, type, errors and words. */
import type { Message } from "@sourcewire/protocol"

/** Both ends of a datagram as `host:port`, if they are known. */
export interface Ends {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The conditions of a filter. An empty text matches everything. */
export interface Filter {
  /** Words that must all occur in the line of the message, in upper or lower case. */
  readonly words: string
  /** One end, as `host:port` or only the host; or a conversation, in the form that {@link formatConversation} returns. */
  readonly ends: string
  /** Valve's name of the message, or its `_tag`. */
  readonly type: string
  readonly faulty: boolean
}

/** A message in a list. */
export interface Listed extends Ends {
  /** Valve's name of the message, as `messageName` returns it. */
  readonly name: string
  readonly tag?: Message["_tag"] | undefined
  readonly summary: string
  /** Whether the message has an error. */
  readonly isFaulty: boolean
}

/**
 * Returns a name for the conversation between both ends. The name is the same for both directions. Returns `undefined` if an end is not
 * known.
 */
export const formatConversation = ({ from, to }: Ends): string | undefined =>
  from === undefined || to === undefined ? undefined : from < to ? `${from} ↔ ${to}` : `${to} ↔ ${from}`

const hasEnd = (ends: Ends, wanted: string): boolean =>
  [ends.from, ends.to].some((end) => end === wanted || end?.slice(0, end.lastIndexOf(":")) === wanted) ||
  formatConversation(ends) === wanted

/** Returns a function that tests whether a text contains all of these words, in upper or lower case. */
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

/** Returns a function that tests whether a message matches the filter. */
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
