/**
 * The interface of all machines without I/O: one query to one server, from the first datagram to the result. A machine receives bytes and
 * the time, and returns what to send and until when to wait. It never sends, reads no clock, and does not know the server's address.
 */
import type { Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import type { QueryError } from "./QueryError.ts"

/** The limits of a query and its encoding. Many exchanges can share them. */
export interface ExchangeSettings {
  /** From the first datagram to the complete reply, in ms. */
  readonly timeoutMs: number
  /** How often a request is sent again after silence. */
  readonly retries: number
  readonly encoding: Encoding
  /** Source of the jitter, in [0, 1). */
  readonly random: () => number
}

/** The round-trip time of an answer. */
export interface MeasuredRoundTrip {
  /** From the transmission that was answered to the answer, in ms. If that transmission is not known, this is a guess. */
  readonly rttMs: number
  /** Present if `rttMs` is a guess: more than one transmission can have caused each reply of the server. */
  readonly rttAmbiguous?: true
}

/** The next action of the driver of an exchange. */
export const Step = {
  /** Nothing but wait until `deadline`. */
  Wait: 0,
  /** Send `packet`, then wait until `deadline`. */
  Send: 1,
  /** `result` is set. The exchange sends nothing more, and needs nothing more. */
  Done: 2
} as const

/** See {@link Step}. */
export type Step = (typeof Step)[keyof typeof Step]

/** A machine that ends with an `A` or an `E`. All times are ms of one monotonic clock. */
export interface Exchange<out A, out E = QueryError> {
  /** When to call `expire`, unless a datagram arrives before. */
  readonly deadline: number
  /** The datagram for `Step.Send`. It is never changed after it was returned. */
  readonly packet: Uint8Array
  /** Set at `Step.Done`. */
  readonly result: Result.Result<A, E> | undefined
  /**
   * How many replies may still come. Absent if that does not matter. Once the exchange is done, such a reply would look like a reply to the
   * next exchange on the same socket.
   */
  readonly outstanding?: number
  /** Called before `start`: the previous exchange with this server on this socket has left so many replies `outstanding`. */
  readonly comeAfter?: (outstanding: number) => void
  /** Begins; called once. */
  readonly start: (now: number) => Step
  /** A datagram came from the server, perhaps after `Step.Done`. The exchange does not store the bytes. */
  readonly receive: (datagram: Uint8Array, now: number) => Step
  /** `deadline` has passed. */
  readonly expire: (now: number) => Step
  /** Something else ends it: a closed port, a closed socket. */
  readonly fail: (error: QueryError) => Step
}
