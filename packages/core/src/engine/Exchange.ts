/**
 * An exchange is one query to one server, from the first datagram to the result. This module defines the interface of exchanges: state
 * machines without I/O. The input of an exchange is the received bytes and the time. The output is the bytes to send and the deadline. An
 * exchange sends nothing, reads no clock, and does not contain the server's address.
 */
import type { Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import type { QueryError } from "./QueryError.ts"

/** The limits and the encoding of a query. Many exchanges can share one settings object. */
export interface ExchangeSettings {
  /** Time limit from the first sent datagram to the complete reply, in ms. */
  readonly timeoutMs: number
  /** Maximum number of retransmissions of a request. */
  readonly retries: number
  readonly encoding: Encoding
  /** Source of the random numbers for jitter, in [0, 1). */
  readonly random: () => number
}

/** The round-trip time of a reply. */
export interface MeasuredRoundTrip {
  /**
   * Time from the transmission that caused the reply to the arrival of the reply, in ms. If several transmissions can have caused the
   * reply, this time is an estimate.
   */
  readonly rttMs: number
  /** Present if `rttMs` is an estimate. */
  readonly rttAmbiguous?: true
}

/** The next action for the code that runs an exchange. */
export const Step = {
  /** Wait until `deadline`. */
  Wait: 0,
  /** Send `packet`, then wait until `deadline`. */
  Send: 1,
  /** `result` is set. The exchange has ended: it sends no further datagram, and `deadline` is no longer used. */
  Done: 2
} as const

/** See {@link Step}. */
export type Step = (typeof Step)[keyof typeof Step]

/** A state machine that ends with a result of type `A` or an error of type `E`. All times are in ms, on one monotonic clock. */
export interface Exchange<out A, out E = QueryError> {
  /** The time at which `expire` must be called if no datagram arrives earlier. */
  readonly deadline: number
  /** The datagram to send when a function of the exchange has returned `Step.Send`. The exchange never changes the bytes of a datagram. */
  readonly packet: Uint8Array
  /** Set when a function of the exchange has returned `Step.Done`. */
  readonly result: Result.Result<A, E> | undefined
  /**
   * Number of replies that may still arrive. After the exchange has ended, such a reply looks like a reply to the next exchange with the
   * same server on the same socket. Absent if no other exchange can mistake late replies for its own replies.
   */
  readonly outstanding?: number
  /**
   * Called before `start` if replies to an earlier exchange with the same server may still arrive on the same socket. `outstanding` is the
   * number of these replies.
   */
  readonly expectLateReplies?: (outstanding: number) => void
  /** Starts the exchange. Called once. */
  readonly start: (now: number) => Step
  /**
   * Called for each datagram from the server, also after the exchange has ended. If the exchange needs the bytes after the call, it copies
   * them.
   */
  readonly receive: (datagram: Uint8Array, now: number) => Step
  /** Called when `deadline` has passed. */
  readonly expire: (now: number) => Step
  /** Ends the exchange with an error that does not come from a reply, for example because the port or the socket is closed. */
  readonly fail: (error: QueryError) => Step
}
