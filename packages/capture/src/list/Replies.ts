/** Who of two ends is the server, and how long it took to reply. */
import type { Message } from "@sourcewire/protocol"
import { declarationOf } from "@sourcewire/protocol/wire"
import type { Ends } from "./Filter.ts"

/** What a message's direction tells. */
export interface Reply {
  readonly server?: string
  readonly isRequest?: boolean
  /** Milliseconds since the last question in its conversation. */
  readonly replyMs?: number
}

/** Conversations whose last question is remembered; the oldest is forgotten for a new one. */
const MAX_ASKED = 65_536

export class Replies {
  readonly #asked = new Map<string, number>()

  /** Takes a message in; `timeMs` in any clock that goes on. */
  of(tag: Message["_tag"] | undefined, { from, to }: Ends, timeMs: number | undefined): Reply {
    const direction = tag === undefined ? undefined : declarationOf(tag)?.direction
    if (from === undefined || to === undefined || direction === undefined || direction === "both") return {}
    if (direction === "request") {
      if (timeMs !== undefined) this.#asked.set(`${from} ${to}`, timeMs)
      if (this.#asked.size > MAX_ASKED) this.#asked.delete(this.#asked.keys().next().value!)
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
