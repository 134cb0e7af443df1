/**
 * What is known about the round trip to a server, and how long to wait for an answer because of it (RFC 6298 without its floor of a
 * second). Samples come from replies that have exactly one explanation (Karn's rule); `RepeatedQuestion` sees to that.
 */
import { INITIAL_RTO_MS, MIN_RTO_MS } from "../Limits.ts"

/** The round trip of an answer, as results tell it. */
export interface MeasuredRoundTrip {
  /** From the datagram that was answered to the answer, in ms; what was sent before it and got lost does not count in. */
  readonly rttMs: number
  /**
   * Present where `rttMs` is a guess: the answer could belong to more than one transmission, and no other reply of the server told how
   * long it takes.
   */
  readonly rttAmbiguous?: true
}

/** Estimator of one server's round trip. */
export class RoundTrip {
  /** Smallest sample, in ms; 0 while there is none. */
  minMs = 0
  /** Smoothed round trip, in ms; 0 while there is no sample. */
  smoothedMs = 0
  /** Smoothed deviation, in ms. */
  deviationMs = 0
  /** The deviation was never seen: there is one sample at most. */
  private isGuess = true
  private readonly minRtoMs: number

  /** `minRtoMs` is the least to wait before a first retransmission. */
  constructor(minRtoMs: number = MIN_RTO_MS) {
    this.minRtoMs = minRtoMs
  }

  /** Takes a measured round trip in. */
  sample(rttMs: number): void {
    if (this.smoothedMs === 0) {
      this.minMs = rttMs
      this.smoothedMs = rttMs
      this.deviationMs = rttMs / 2
      return
    }
    this.isGuess = false
    if (rttMs < this.minMs) this.minMs = rttMs
    this.deviationMs += (Math.abs(rttMs - this.smoothedMs) - this.deviationMs) / 4
    this.smoothedMs += (rttMs - this.smoothedMs) / 8
  }

  /** How long to wait before a first retransmission, in ms. */
  get rtoMs(): number {
    if (this.smoothedMs === 0) return Math.max(this.minRtoMs, INITIAL_RTO_MS)
    // A query has two or three rounds and no time for the doubt that RFC 6298 begins with: where a tenth is lost each way and a round
    // trip takes 200 ms, halving it lets 1 instead of 3 in a thousand fail.
    const doubt = this.isGuess ? 2 : 4
    return Math.max(this.minRtoMs, this.smoothedMs + doubt * this.deviationMs)
  }

  /**
   * How long after a fragment to wait for the next, in ms. Servers send all in one go, so the rest is close behind; asking again before
   * would only bring all of it twice.
   */
  get restMs(): number {
    return Math.max(MIN_RTO_MS, this.smoothedMs || INITIAL_RTO_MS)
  }
}
