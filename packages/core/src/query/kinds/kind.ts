/** The data of a kind of query. */
import type { DecodeError, Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"

/** A kind of query. */
export interface Query<A> {
  /** The name in the client's API. */
  readonly name: "info" | "players" | "rules" | "ping" | "challenge"
  /** Valve's name, for messages to people. */
  readonly valve: string
  /** The first request. */
  readonly opening: Uint8Array
  /** The request whose last four bytes are the challenge. Absent if the query uses no challenge. */
  readonly challenged?: Uint8Array
  readonly alternate?: Alternate
  /**
   * The result that a missing reply means; absent for queries that need a reply. If it is present, the query normally ends without a
   * retransmission, when the usual time for a reply has passed.
   */
  readonly silence?: A
  /** Whether to check that the server exists if it does not reply; see `Timeout.alive`. */
  readonly asksForLife?: boolean
  /** Types of the replies that end the query. Other types do not belong to it. */
  readonly answers: ReadonlyArray<number>
  /** Type of the reply in the old dialect, a `GoldSourceInfoReply`. One in the new dialect may follow it. */
  readonly oldAnswer?: number
  /** `type` is that of the datagram, if the caller knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
}

/** Another request to try if the server did not reply to the first one. */
export interface Alternate {
  readonly packet: Uint8Array
  /**
   * If true, every second transmission of the first request is this packet instead. Otherwise this packet is sent just before the first
   * request, from the third transmission on.
   */
  readonly instead: boolean
  /** Types of the replies that only this request can cause. */
  readonly answers?: ReadonlyArray<number>
}
