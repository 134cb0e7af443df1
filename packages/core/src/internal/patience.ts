/**
 * When to ask again and when to stop, for machines that ask one question and know no split replies: the handshake, a page of a
 * master server. Waits follow the server's round trip and grow; see `Limits` for the numbers.
 *
 * @module
 */
import { BACKOFF_FACTOR, INITIAL_RTO_SHARE, JITTER } from "../Limits.ts"
import type { ExchangeSettings } from "../QueryExchange.ts"
import { RoundTrip } from "../RoundTrip.ts"

/** What to do now that a wait has passed: `again` is to send once more, `over` to end. */
export type Verdict = "again" | "wait" | "over"

/** See the module. */
export class Patience {
  /** Datagrams sent. */
  sent = 0
  /** Transmissions without a reply. */
  outstanding = 0
  /** Until when to wait. */
  deadline = Number.POSITIVE_INFINITY
  private readonly settings: ExchangeSettings
  private readonly roundTrip: RoundTrip
  private endsAt = 0
  private sentAt = 0
  private silences = 0

  constructor(settings: ExchangeSettings, roundTrip: RoundTrip | undefined) {
    this.settings = settings
    this.roundTrip = roundTrip ?? new RoundTrip()
  }

  /** The question begins. */
  begin(now: number): void {
    this.endsAt = now + this.settings.timeoutMs
  }

  /** A datagram goes out now. */
  transmit(now: number): void {
    this.sent++
    this.outstanding++
    this.sentAt = now
    const first = Math.min(this.roundTrip.rtoMs, this.settings.timeoutMs * INITIAL_RTO_SHARE)
    const jitter = 1 + JITTER * (2 * this.settings.random() - 1)
    this.deadline = Math.min(this.endsAt, now + first * BACKOFF_FACTOR ** this.silences * jitter)
  }

  /** `deadline` has passed in silence. */
  expire(now: number): Verdict {
    if (now >= this.endsAt) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
  }

  /** Time since the last transmission, in ms. */
  elapsed(now: number): number {
    return now - this.sentAt
  }

  /** The round trip, in ms, of an answer that came now. It teaches only where one transmission alone can explain it (Karn). */
  measure(now: number): number {
    const rttMs = now - this.sentAt
    if (this.outstanding === 1) this.roundTrip.sample(rttMs)
    this.outstanding = Math.max(0, this.outstanding - 1)
    return rttMs
  }

  /** Whether what came now came too soon to answer the last transmission: the network has repeated an earlier reply. */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }
}
