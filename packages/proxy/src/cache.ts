/**
 * The cache of one game server. It contains the last INFO, PLAYER and RULES replies, their times, and the form of the server's large
 * replies. The cache has no clock and no socket.
 */
import { decode, encode, fromHex, toHex } from "@sourcewire/protocol"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"

/** The kinds of queries whose replies are cached. */
export type Part = "info" | "players" | "rules"

/** All kinds of queries, in the order in which the proxy sends them. */
export const PARTS: ReadonlyArray<Part> = ["info", "players", "rules"]

/**
 * The messages of the reply to each kind of query. Each reply consists of one message, with one exception. If the server sends INFO in the
 * Source and the GoldSource dialect, the INFO reply consists of two messages, in the order of arrival.
 */
export interface Replies {
  readonly info: ReadonlyArray<InfoReply | GoldSourceInfoReply>
  readonly players: ReadonlyArray<PlayersReply>
  readonly rules: ReadonlyArray<RulesReply>
}

/** A reply, and the time when the server sent or confirmed this reply, in ms of the caller's clock. */
export interface Cached<P extends Part> {
  readonly messages: Replies[P]
  readonly takenAt: number
}

/** The cache of one game server, in a form that can be written to a file. */
export interface SavedUpstream {
  /** The configured address: `host:port`. */
  readonly upstream: string
  /** The numeric address to which the last query was sent. */
  readonly address?: string
  readonly oversize?: Oversize
  readonly replies: { readonly [P in Part]?: SavedReply }
}

/** A reply in {@link SavedUpstream}. */
export interface SavedReply {
  /** The time when the server sent or confirmed the reply, in ms since 1970. */
  readonly takenAt: number
  /** The messages as complete datagrams, in hex. */
  readonly datagrams: ReadonlyArray<string>
}

const TAGS: Readonly<Record<Part, ReadonlyArray<string>>> = {
  info: ["InfoReply", "GoldSourceInfoReply"],
  players: ["PlayersReply"],
  rules: ["RulesReply"]
}

/** Maximum number of messages in a saved reply. An INFO reply can consist of a Source and a GoldSource message. */
const MOST_MESSAGES = 2

export class UpstreamCache {
  readonly upstream: string
  /** The numeric host of the game server, known after the first query. */
  address: string | undefined = undefined
  /** How the server sends replies that are larger than a datagram; `undefined` until such a reply was received. */
  oversize: Oversize | undefined = undefined
  /** Counts the changes of the cache. If the cache has changed since its last save, it must be saved again. */
  revision = 0
  private readonly replies = new Map<Part, Cached<Part>>()

  constructor(upstream: string) {
    this.upstream = upstream
  }

  /** Returns the last reply to queries for `part`, regardless of the reply's age. */
  kept<P extends Part>(part: P): Cached<P> | undefined {
    // This cast is safe, because every reply is stored under its own part.
    return this.replies.get(part) as Cached<P> | undefined
  }

  /** The last reply for this part; `undefined` if there is no reply, or if it is older than `maxAgeMs`. */
  fresh<P extends Part>(part: P, now: number, maxAgeMs: number): Replies[P] | undefined {
    const cached = this.kept(part)
    return cached !== undefined && now - cached.takenAt <= maxAgeMs ? cached.messages : undefined
  }

  /** Whether at least one of the last replies is not older than `maxAgeMs`. */
  isFresh(now: number, maxAgeMs: number): boolean {
    return PARTS.some((part) => this.fresh(part, now, maxAgeMs) !== undefined)
  }

  get isEmpty(): boolean {
    return this.replies.size === 0
  }

  keep<P extends Part>(part: P, messages: Replies[P], takenAt: number): void {
    this.replies.set(part, { messages, takenAt })
    this.revision++
  }

  /** Removes a reply that the server no longer sends. */
  forget(part: Part): void {
    if (this.replies.delete(part)) this.revision++
  }

  /** Returns the cache in a form that can be written to a file. `toWallClock` converts times of the cache to ms since 1970. */
  save(toWallClock: (time: number) => number): SavedUpstream {
    const replies: { [P in Part]?: SavedReply } = {}
    for (const part of PARTS) {
      const kept = this.kept(part)
      if (kept === undefined) continue
      const datagrams = kept.messages.map((message) => encode(message))
      if (datagrams.every(Result.isSuccess)) {
        replies[part] = {
          takenAt: Math.floor(toWallClock(kept.takenAt)),
          datagrams: datagrams.map(({ success }) => toHex(success))
        }
      }
    }
    return {
      upstream: this.upstream,
      ...(this.address === undefined ? {} : { address: this.address }),
      ...(this.oversize === undefined ? {} : { oversize: this.oversize }),
      replies
    }
  }

  /**
   * Loads a saved cache. `fromWallClock` converts ms since 1970 to times of the cache. Invalid entries and entries from the future are
   * skipped.
   */
  restore(saved: SavedUpstream, fromWallClock: (time: number) => number, now: number): void {
    this.address ??= saved.address
    this.oversize ??= saved.oversize
    for (const part of PARTS) {
      const reply = saved.replies[part]
      if (reply === undefined || this.replies.has(part)) continue
      const takenAt = fromWallClock(reply.takenAt)
      const messages = decodeMessages(part, reply.datagrams)
      if (messages !== undefined && takenAt <= now) this.keep(part, messages, takenAt)
    }
  }
}

const decodeMessages = <P extends Part>(part: P, datagrams: ReadonlyArray<string>): Replies[P] | undefined => {
  if (datagrams.length === 0 || datagrams.length > MOST_MESSAGES) return undefined
  const messages: Array<unknown> = []
  for (const hex of datagrams) {
    const bytes = fromHex(hex)
    const message = bytes === undefined ? undefined : decode(bytes)
    if (message === undefined || Result.isFailure(message) || !TAGS[part].includes(message.success._tag))
      return undefined
    messages.push(message.success)
  }
  // This cast is safe, because the loop compared the tags of all messages.
  return messages as Replies[P]
}
