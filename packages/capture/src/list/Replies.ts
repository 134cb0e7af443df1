/** Determines which end of a conversation is the server, and the time between each reply and its request. */
import type { Message } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import type { Ends } from "./Filter.ts"

/** The server of a message. If the message is a reply, also the time since its request. */
export interface Reply {
  readonly server?: string
  readonly isRequest?: boolean
  /** Milliseconds from the last request in the conversation to this reply. */
  readonly replyMs?: number
}

/**
 * Maximum number of conversations whose last request is stored. If there are more conversations, the conversation whose first request is
 * oldest is dropped.
 */
const MAX_CONVERSATIONS = 65_536

export class Replies {
  readonly #asked = new Map<string, number>()

  /**
   * Adds a message, and returns its server. If the message is a reply, the result also contains the time since its request. `timeMs` can
   * come from any monotonic clock.
   */
  of(tag: Message["_tag"] | undefined, { from, to }: Ends, timeMs: number | undefined): Reply {
    const direction = tag === undefined ? undefined : findDeclaration(tag)?.direction
    if (from === undefined || to === undefined || direction === undefined || direction === "both") return {}
    if (direction === "request") {
      if (timeMs !== undefined) this.#asked.set(`${from} ${to}`, timeMs)
      if (this.#asked.size > MAX_CONVERSATIONS) this.#asked.delete(this.#asked.keys().next().value!)
      return { server: to, isRequest: true }
    }
    const since = this.#asked.get(`${to} ${from}`)
    return {
      server: from,
      isRequest: false,
      ...(since === undefined || timeMs === undefined ? {} : { replyMs: timeMs - since })
    }
  }
}
