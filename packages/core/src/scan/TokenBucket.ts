/**
 * A token bucket that says when the next datagram may go, so that a burst of queries does not overrun a link or a receive buffer.
 */
import { demand } from "../edge.ts"

const isAboveZero = (value: unknown): boolean => typeof value === "number" && value > 0

/** A bucket of `burst` tokens, filled at `perSecond`. */
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

  /** Takes a token and returns 0, or returns in how many ms one will be there. */
  take(now: number): number {
    const waitMs = this.waitMs(now)
    if (waitMs === 0) this.tokens--
    return waitMs
  }

  /** A datagram was sent without waiting. It counts as well. */
  debit(now: number): void {
    this.fill(now)
    this.tokens--
  }

  /** A datagram that was counted was not sent. */
  credit(): void {
    this.tokens = Math.min(this.burst, this.tokens + 1)
  }

  /** In how many ms a token will be there; takes none. */
  waitMs(now: number): number {
    this.fill(now)
    return this.tokens >= 1 ? 0 : (1 - this.tokens) / this.perMs
  }

  private fill(now: number): void {
    // The bucket was filled for this time already.
    if (now <= this.filledAt) return
    this.tokens = Math.min(this.burst, this.tokens + (now - this.filledAt) * this.perMs)
    this.filledAt = now
  }
}
