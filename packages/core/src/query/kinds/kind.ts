/** The data of a kind of query. */
import type { DecodeError, Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"

/** A kind of query. */
export interface Query<A> {
  /** As in the client's API. */
  readonly name: "info" | "players" | "rules" | "ping" | "challenge"
  /** Valve's name, for messages to people. */
  readonly valve: string
  /** The request that opens it. */
  readonly opening: Uint8Array
  /** The request whose last four bytes are the challenge; absent if the query has no challenge. */
  readonly challenged?: Uint8Array
  readonly alternate?: Alternate
  /** The result if the server is silent, if that is known. Then the query waits only once, for as long as an answer takes. */
  readonly silence?: A
  /** Whether to check after silence if the server exists at all; see `Timeout.alive`. */
  readonly asksForLife?: boolean
  /** Types of the replies that are the answer. Any other does not belong to the query. */
  readonly answers: ReadonlyArray<number>
  /** Type of the answer in the old dialect, a `GoldSourceInfoReply`, after which one in the new dialect may follow. */
  readonly oldAnswer?: number
  /** `type` is that of the datagram, if the caller knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
}

/** Another request to try if the server did not reply to the opening. */
export interface Alternate {
  readonly packet: Uint8Array
  /** Whether it is sent in place of every other opening; otherwise it is sent just before the opening, from the third one on. */
  readonly instead: boolean
  /** Types of the replies that can only be to it. */
  readonly answers?: ReadonlyArray<number>
}
