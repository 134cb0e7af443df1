/**
 * What can be asked of a server: per kind of query the datagrams that open it and the replies that end it. Data for the exchange,
 * no behaviour over time. The kinds themselves are in `kinds/`.
 */
import type { DecodeError, Encoding, GoldSourceInfoReply } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import { info } from "./kinds/info.ts"
import { players, rules } from "./kinds/lists.ts"
import { anyPing, challenge } from "./kinds/signs.ts"

export { info } from "./kinds/info.ts"
export { players, playersAfter, rules } from "./kinds/lists.ts"
export { anyPing, challenge, infoPing, ping } from "./kinds/signs.ts"
export type { Pong } from "./kinds/signs.ts"

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
  /** Whether a reply of this type is (part of) the answer; any other type is somebody else's. */
  readonly accepts: (type: number) => boolean
  /** `type` is that of the datagram, for who knows it. */
  readonly decode: (datagram: Uint8Array, encoding: Encoding, type?: number) => Result.Result<A, DecodeError>
  /** The answer if it is of the old dialect, after which one of the new may follow. A method, so that queries of all kinds fit one list. */
  legacyOf?(answer: A): GoldSourceInfoReply | undefined
}

/** Another request worth a try where the opening met silence, and no challenge came. */
export interface Alternate {
  readonly packet: Uint8Array
  /** Every other time it takes the place of the opening; else it goes out just before the opening, from the third time on. */
  readonly instead: boolean
  /** Whether a reply of this type can only be to it. */
  readonly answeredBy?: (type: number) => boolean
}

/** Each kind by its name. */
export const QUERIES = { info, players, rules, challenge, ping: anyPing }
