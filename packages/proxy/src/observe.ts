/**
 * A query to a game server that also observes the form of its reply: the layout and size of its fragments, compression, or one large
 * datagram. A proxy sends its replies in the form that the game server uses, because clients of an old game support no other form.
 */
import { Step } from "@sourcewire/core/engine"
import { Query, QueryExchange } from "@sourcewire/core/query"
import type { ExchangeSettings, RoundTrip } from "@sourcewire/core/engine"
import type { CachedChallenge } from "@sourcewire/core/query"
import { isSplit, Reassembler } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"
import type { Part, Replies } from "./cache.ts"

/**
 * Every network can transport a datagram of this size, in bytes. Only a larger datagram shows that the server does not split large replies.
 */
const ORDINARY_BYTES = 1400

/** Minimum size of the proxy's fragments, in bytes. If the game server's fragments are smaller, the proxy uses this size instead. */
const MIN_FRAGMENT_BYTES = 512

/** Maximum size of a UDP payload over IPv4, in bytes. */
const MAX_DATAGRAM_BYTES = 65_507

export type Value<P extends Part> = Replies[P][number]

/**
 * A query for one part of the cache. After the query, its properties contain the messages of the reply, and how the server splits replies.
 */
export class ObservedExchange<P extends Part> extends QueryExchange<Value<P>> {
  /** How the server sends large replies; absent if the reply to this query was small. */
  oversize: Oversize | undefined
  private reassembler: Reassembler | undefined
  private largestFragment = 0

  /** `info` is the last INFO reply of the server. */
  constructor(
    part: P,
    settings: ExchangeSettings,
    roundTrip: RoundTrip,
    kept: CachedChallenge | undefined,
    info: Replies["info"][number] | undefined
  ) {
    const query = part === "players" && info !== undefined ? Query.playersAfter(info) : Query.QUERIES[part]
    // This cast is safe, because the table assigns to each part the query for this part.
    super(query as Query.Query<Value<P>>, settings, roundTrip, kept)
  }

  /**
   * The messages of the reply, for the cache. If the server sent INFO in both dialects, there are two messages. Read this property only
   * after a successful query.
   */
  get messages(): Replies[P] {
    const value = Result.getOrThrow(this.result!)
    return (this.legacy === undefined ? [value] : [this.legacy, value]) as Replies[P]
  }

  override receive(datagram: Uint8Array, now: number): Step {
    const step = super.receive(datagram, now)
    if (isSplit(datagram)) this.observeFragment(datagram)
    else if (step === Step.Done && datagram.length > ORDINARY_BYTES) {
      this.oversize = { how: "whole", maxBytes: MAX_DATAGRAM_BYTES }
    }
    return step
  }

  private observeFragment(datagram: Uint8Array): void {
    this.largestFragment = Math.max(this.largestFragment, datagram.length)
    const joined = (this.reassembler ??= new Reassembler()).add(datagram)
    if (Result.isFailure(joined) || joined.success === undefined) return
    const { compressed, layout } = joined.success
    this.oversize = {
      how: "split",
      layout,
      maxBytes: Math.max(MIN_FRAGMENT_BYTES, Math.min(ORDINARY_BYTES, this.largestFragment)),
      ...(compressed ? { bzip2: true } : {})
    }
  }
}
