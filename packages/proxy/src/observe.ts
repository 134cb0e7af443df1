/**
 * A query to a game server that also notes how the answer came: cut up in which layout and how finely, compressed, or in one large
 * datagram. A proxy hands its answers on in the same form, since a client of an old game reads no other.
 */
import { Query, QueryExchange, Step } from "@sourcewire/core/machines"
import type { ExchangeSettings, KeptChallenge, RoundTrip } from "@sourcewire/core/machines"
import { isSplit, Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"
import type { Part, Replies } from "./cache.ts"

/** A datagram of this size in bytes passes everywhere: an answer of no more says nothing about larger ones. */
const ORDINARY_BYTES = 1400

/** Fragments smaller than this are taken for the odd habit of one reply. */
const MIN_FRAGMENT_BYTES = 512

/** Larger datagrams than the network layer can carry are none. */
const MAX_DATAGRAM_BYTES = 65_507

export type Value<P extends Part> = Replies[P][number]

/** A query for one part of a cache. What it has observed can be read when it is done. */
export class ObservedExchange<P extends Part> extends QueryExchange<Value<P>> {
  /** How the server sends what is large; absent when this answer was not. */
  oversize: Oversize | undefined
  #reassembler: Reassembler | undefined
  #largestFragment = 0

  /** `info` is what the server last said of itself. */
  constructor(
    part: P,
    settings: ExchangeSettings,
    roundTrip: RoundTrip,
    kept: KeptChallenge | undefined,
    info: Replies["info"][number] | undefined
  ) {
    const query = part === "players" && info !== undefined ? Query.playersAfter(info) : Query.QUERIES[part]
    // Sound: the table has each part's own query.
    super(query as Query.Query<Value<P>>, settings, roundTrip, kept)
  }

  /** The answer as a cache keeps it: of INFO, the older dialect's too. For a query that was answered. */
  get messages(): Replies[P] {
    const value = Result.getOrThrow(this.result!)
    return (this.legacy === undefined ? [value] : [this.legacy, value]) as unknown as Replies[P]
  }

  override receive(datagram: Uint8Array, now: number): Step {
    const step = super.receive(datagram, now)
    if (isSplit(datagram)) this.#observeFragment(datagram)
    else if (step === Step.Done && datagram.length > ORDINARY_BYTES) {
      this.oversize = { how: "whole", maxBytes: MAX_DATAGRAM_BYTES }
    }
    return step
  }

  #observeFragment(datagram: Uint8Array): void {
    this.#largestFragment = Math.max(this.#largestFragment, datagram.length)
    const joined = (this.#reassembler ??= new Reassembler()).add(datagram)
    if (Result.isFailure(joined) || joined.success === undefined) return
    const { compressed, layout } = joined.success
    this.oversize = {
      how: "split",
      layout,
      maxBytes: Math.max(MIN_FRAGMENT_BYTES, Math.min(ORDINARY_BYTES, this.#largestFragment)),
      ...(compressed ? { bzip2: true } : {})
    }
  }
}
