/** Filters a list of messages by server, conversation, type, errors and words. */
import type { Message } from "@sourcewire/protocol"

/** The sender and the receiver of a datagram, each as `host:port`, if they are known. */
export interface Ends {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The conditions of a filter. An empty text as a condition matches every message. */
export interface Filter {
  /** Words that must all occur in the addresses, the name or the summary of the message, in upper or lower case. */
  readonly words: string
  /**
   * The sender or the receiver, as `host:port` or only the host; or a conversation, in the form that {@link formatConversation} returns.
   */
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
 * Returns a name for the conversation between the sender and the receiver. Requests and replies of a conversation have the same name.
 * Returns `undefined` if the sender or the receiver is not known.
 */
export const formatConversation = ({ from, to }: Ends): string | undefined =>
  from === undefined || to === undefined ? undefined : from < to ? `${from} ↔ ${to}` : `${to} ↔ ${from}`

const hasEnd = (ends: Ends, wanted: string): boolean =>
  [ends.from, ends.to].some((end) => end === wanted || end?.slice(0, end.lastIndexOf(":")) === wanted) ||
  formatConversation(ends) === wanted

/** Returns a function that tests whether a text contains all words in `words`, in upper or lower case. */
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
