/** Filters a list of messages by server, conversation, type, errors and words. */
import type { Message } from "@sourcewire/protocol"

/** The sender and the receiver of a datagram, each as `host:port`, if they are known. */
export interface Ends {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The conditions of a filter. An empty text as a condition matches every message. */
export interface Filter {
  /**
   * Words with spaces between them. A message matches if each word occurs in its addresses, name or summary. The case of the letters
   * is ignored.
   */
  readonly words: string
  /**
   * An address (`host:port` or only the host) that must be the sender or the receiver; or a conversation, as {@link formatConversation}
   * returns it.
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
 * Returns a name for the conversation between the sender and the receiver. The name does not depend on the direction: requests and their
 * replies have the same name. Returns `undefined` if the sender or the receiver is not known.
 */
export const formatConversation = ({ from, to }: Ends): string | undefined =>
  from === undefined || to === undefined ? undefined : from < to ? `${from} ↔ ${to}` : `${to} ↔ ${from}`

const hasEnd = (ends: Ends, wanted: string): boolean =>
  [ends.from, ends.to].some((end) => end === wanted || end?.slice(0, end.lastIndexOf(":")) === wanted) ||
  formatConversation(ends) === wanted

/** Returns a function that tests whether a text contains every word of `words`. The case of the letters is ignored. */
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
