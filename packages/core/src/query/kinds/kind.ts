/** The description of a kind of query: its requests, and the types of its replies. */
import type { DecodeError, Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"

/** A kind of query. */
export interface Query<A> {
  /** The name of the query in the client's API. */
  readonly name: "info" | "players" | "rules" | "ping" | "challenge"
  /** Valve's name of the request, for error messages. */
  readonly valve: string
  /** The first request. */
  readonly opening: Uint8Array
  /** The request whose last four bytes are the challenge. Absent if the query uses no challenge. */
  readonly challenged?: Uint8Array
  readonly alternate?: Alternate
  /**
   * The result if no reply arrives. If this field is absent, a query without a reply fails. If this field is present, a query without a
   * reply usually ends after the first retransmission delay, without a retransmission.
   */
  readonly silence?: A
  /** Whether to check for signs of life if the server does not reply; see `Timeout.alive`. */
  readonly checksLiveness?: boolean
  /** Types of the replies that contain the result of the query. */
  readonly answers: ReadonlyArray<number>
  /** Type of a reply in the old dialect (`GoldSourceInfoReply`). The server may send a reply in the new dialect after this reply. */
  readonly oldAnswer?: number
  /** Decodes a reply. `type` is the type of the datagram, if the caller knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
}

/** An alternate request, for servers that do not reply to the first request. */
export interface Alternate {
  readonly packet: Uint8Array
  /**
   * If true, `packet` replaces every second transmission of the first request. If false, `packet` is an additional datagram: after two
   * retransmissions of the first request, it is sent just before each further retransmission.
   */
  readonly instead: boolean
  /** Types of the replies that only the alternate request can cause. */
  readonly answers?: ReadonlyArray<number>
}
