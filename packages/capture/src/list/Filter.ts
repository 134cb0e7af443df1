/**
 * Which messages of a list are wanted: those of a server or a conversation, of a type, with errors, with words in them.
 */
import type { Message } from "@sourcewire/protocol"

/** Both ends of a datagram as `host:port`, where they are known. */
export interface Ends {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What is asked of messages; empty texts ask nothing. */
export interface Filter {
  /** All of them have to be in the line, whatever the case. */
  readonly words: string
  /** `host:port` or the host of a server, or a conversation as {@link conversationOf} names it. */
  readonly ends: string
  /** Valve's name of the message, or its `_tag`. */
  readonly type: string
  readonly faulty: boolean
}

/** A message as a list shows it. */
export interface Listed extends Ends {
  /** What it is called, see `messageName`. */
  readonly name: string
  readonly tag?: Message["_tag"] | undefined
  readonly summary: string
  /** Whether something is wrong with it. */
  readonly isFaulty: boolean
}

/** Both ends of a datagram, the same in either direction; `undefined` where they are not known. */
export const conversationOf = ({ from, to }: Ends): string | undefined =>
  from === undefined || to === undefined ? undefined : from < to ? `${from} ↔ ${to}` : `${to} ↔ ${from}`

const isOf = (ends: Ends, wanted: string): boolean =>
  [ends.from, ends.to].some((end) => end === wanted || end?.slice(0, end.lastIndexOf(":")) === wanted) ||
  conversationOf(ends) === wanted

/** Whether a text has all of these words in it, whatever the case. */
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

/** Whether a message passes. */
export const passing = ({ ends, faulty, type, words }: Filter): ((line: Listed) => boolean) => {
  const isSaid = hasWords(words)
  const tag = type.toLowerCase()
  return (line) => {
    const { from = "", isFaulty, name, summary, to = "" } = line
    if (faulty && !isFaulty) return false
    if (tag !== "" && name.toLowerCase() !== tag && line.tag?.toLowerCase() !== tag) return false
    if (ends !== "" && !isOf(line, ends)) return false
    return words === "" || isSaid(`${from} ${to} ${name} ${line.tag ?? ""} ${summary}`)
  }
}
