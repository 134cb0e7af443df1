/**
 * A query to a game server that also notes how the answer came: cut up in which layout and how finely, compressed, or in one large
 * datagram. A proxy hands its answers on in the same form, since a client of an old game reads no other.
 *
 * @module
 */
import type { QueryError } from "@sourcewire/core"
import { Query, QueryExchange, Step } from "@sourcewire/core/machines"
import type { Exchange, ExchangeSettings, KeptChallenge, RoundTrip } from "@sourcewire/core/machines"
import { isSplit, Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { Oversize } from "@sourcewire/server/machines"
import type { Part, Replies } from "./cache.ts"

/** An answer and how it came. */
export interface Observation<P extends Part> {
  readonly messages: Replies[P]
  /** How the server sends what is large; absent when this answer was not. */
  readonly oversize: Oversize | undefined
}

/** A datagram of this size in bytes passes everywhere: an answer of no more says nothing about larger ones. */
const ORDINARY_BYTES = 1400

/** Fragments smaller than this are taken for the odd habit of one reply. */
const MIN_FRAGMENT_BYTES = 512

/** Larger datagrams than the network layer can carry are none. */
const MAX_DATAGRAM_BYTES = 65_507

/** What a query of a part gives. */
type Value<P extends Part> = Replies[P][number]

const QUERIES = { info: Query.info, players: Query.players, rules: Query.rules }

/** See the module. Fields that are not of `Exchange` are for reading when it is done. */
export class ObservedExchange<P extends Part> implements Exchange<Observation<P>> {
  readonly #exchange: QueryExchange<Value<P>>
  #reassembler: Reassembler | undefined
  #largestFragment = 0
  #oversize: Oversize | undefined

  /** `info` is what the server last said of itself. */
  constructor(
    part: P,
    settings: ExchangeSettings,
    roundTrip: RoundTrip,
    kept: KeptChallenge | undefined,
    info: Replies["info"][number] | undefined
  ) {
    const query = part === "players" && info !== undefined ? Query.playersAfter(info) : QUERIES[part]
    // Sound: the table has each part's own query.
    this.#exchange = new QueryExchange(query as Query.Query<Value<P>>, settings, roundTrip, kept)
  }

  get deadline(): number {
    return this.#exchange.deadline
  }

  get packet(): Uint8Array {
    return this.#exchange.packet
  }

  get result(): Result.Result<Observation<P>, QueryError> | undefined {
    const { legacy, result } = this.#exchange
    if (result === undefined) return undefined
    return Result.map(result, (value) => ({
      messages: (legacy === undefined ? [value] : [legacy, value]) as unknown as Replies[P],
      oversize: this.#oversize
    }))
  }

  /** For the next question to the same server. */
  get keptChallenge(): KeptChallenge | undefined {
    return this.#exchange.keptChallenge
  }

  /** Datagrams sent. */
  get sent(): number {
    return this.#exchange.sent
  }

  get outstanding(): number {
    return this.#exchange.outstanding
  }

  comeAfter(outstanding: number): void {
    this.#exchange.comeAfter(outstanding)
  }

  start(now: number): Step {
    return this.#exchange.start(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    const step = this.#exchange.receive(datagram, now)
    if (isSplit(datagram)) this.#observeFragment(datagram)
    else if (step === Step.Done && datagram.length > ORDINARY_BYTES) {
      this.#oversize = { how: "whole", maxBytes: MAX_DATAGRAM_BYTES }
    }
    return step
  }

  expire(now: number): Step {
    return this.#exchange.expire(now)
  }

  fail(error: QueryError): Step {
    return this.#exchange.fail(error)
  }

  #observeFragment(datagram: Uint8Array): void {
    this.#largestFragment = Math.max(this.#largestFragment, datagram.length)
    const joined = (this.#reassembler ??= new Reassembler()).add(datagram)
    if (Result.isFailure(joined) || joined.success === undefined) return
    const { compressed, layout } = joined.success
    this.#oversize = {
      how: "split",
      layout,
      maxBytes: Math.max(MIN_FRAGMENT_BYTES, Math.min(ORDINARY_BYTES, this.#largestFragment)),
      ...(compressed ? { bzip2: true } : {})
    }
  }
}
