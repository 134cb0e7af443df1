/**
 * The shape of a sans-IO machine: one question to one server, from the first datagram to its result. A machine gets bytes and the
 * time, and says what to send and until when to wait; it never sends, reads no clock, and does not know whom it talks to.
 */
import type { Encoding } from "@sourcewire/protocol"
import type * as Result from "effect/Result"
import type { QueryError } from "./QueryError.ts"

/** What a query is allowed and how it reads; may be shared by many exchanges. */
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

/** What the driver of an exchange does next. */
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
  /** When `expire` wants to be called, unless something arrives before. */
  readonly deadline: number
  /** What to send at `Step.Send`. Never changed once handed out. */
  readonly packet: Uint8Array
  /** Set at `Step.Done`. */
  readonly result: Result.Result<A, E> | undefined
  /**
   * Replies that may still come for what it has sent, as far as it can tell; absent where that does no harm. Once it is done they
   * would look like replies to the next exchange on the same socket.
   */
  readonly outstanding?: number
  /** Called before `start`: the exchange before, with the same server on the same socket, has left that many `outstanding`. */
  readonly comeAfter?: (outstanding: number) => void
  /** Begins; called once. */
  readonly start: (now: number) => Step
  /** A datagram came from the server, perhaps late, after `Step.Done`. The bytes are not kept. */
  readonly receive: (datagram: Uint8Array, now: number) => Step
  /** `deadline` has passed. */
  readonly expire: (now: number) => Step
  /** Something outside ends it: port closed, socket gone. */
  readonly fail: (error: QueryError) => Step
}
