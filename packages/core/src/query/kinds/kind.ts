/** What a kind of query is made of: data, with no behaviour over time. */
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
  /** The request whose last four bytes a challenge takes; absent where a challenge is no part of it. */
  readonly challenged?: Uint8Array
  readonly alternate?: Alternate
  /** What silence to it says, where that is known: then it is waited for once, for as long as an answer takes. */
  readonly silence?: A
  /** Whether its silence is worth a question whether the server is there at all; see `Timeout.alive`. */
  readonly asksForLife?: boolean
  /** Types of the replies that are (part of) the answer; any other is somebody else's. */
  readonly answers: ReadonlyArray<number>
  /** The one of the old dialect, a `GoldSourceInfoReply`, after which one of the new may follow. */
  readonly oldAnswer?: number
  /** `type` is that of the datagram, for who knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
}

/** Another request worth a try where the opening met silence, and no challenge came. */
export interface Alternate {
  readonly packet: Uint8Array
  /** Every other time it takes the place of the opening; else it goes out just before the opening, from the third time on. */
  readonly instead: boolean
  /** Types of the replies that can only be to it. */
  readonly answers?: ReadonlyArray<number>
}
