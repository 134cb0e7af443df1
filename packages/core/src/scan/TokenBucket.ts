/**
 * A token bucket determines when the next datagram may be sent. It prevents bursts of queries, because bursts can overrun a link or a
 * receive buffer.
 */
import { demand } from "../edge.ts"

const isAboveZero = (value: unknown): boolean => typeof value === "number" && value > 0

/** A bucket with room for `burst` tokens. The bucket refills at a rate of `perSecond` tokens per second. */
export class TokenBucket {
  private readonly perMs: number
  private readonly burst: number
  private tokens: number
  private filledAt = Number.NEGATIVE_INFINITY

  constructor(perSecond: number, burst: number = isAboveZero(perSecond) ? Math.max(1, perSecond / 100) : 1) {
    demand("perSecond", "a number above 0", isAboveZero, perSecond)
    demand("burst", "a number above 0", isAboveZero, burst)
    this.perMs = perSecond / 1000
    this.burst = burst
    this.tokens = burst
  }

  /** Removes a token if the bucket has one. Returns 0 if a token was removed, otherwise the time until the next token, in ms. */
  take(now: number): number {
    const waitMs = this.waitMs(now)
    if (waitMs === 0) this.tokens--
    return waitMs
  }

  /** Removes a token for a datagram that is sent without waiting for a token. The number of tokens can become negative. */
  debit(now: number): void {
    this.fill(now)
    this.tokens--
  }

  /** Returns a token to the bucket. Called when the system could not send a datagram whose token was already removed. */
  credit(): void {
    this.tokens = Math.min(this.burst, this.tokens + 1)
  }

  /** Returns the time until the next token, in ms, or 0 if the bucket contains a token. Does not remove a token. */
  waitMs(now: number): number {
    this.fill(now)
    return this.tokens >= 1 ? 0 : (1 - this.tokens) / this.perMs
  }

  private fill(now: number): void {
    // The bucket already contains the tokens for the time before `filledAt`.
    if (now <= this.filledAt) return
    this.tokens = Math.min(this.burst, this.tokens + (now - this.filledAt) * this.perMs)
    this.filledAt = now
  }
}
