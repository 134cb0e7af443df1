/**
 * Which transmissions of a query still have no reply, and what a reply says about the round trip. Replies bear no number: where more
 * than one question can explain a reply, it teaches nothing (Karn's rule) and is counted from the latest that can.
 *
 * @module
 */
import type { RoundTrip } from "../RoundTrip.ts"

/** See the module. All times are ms of one monotonic clock. */
export class Transmissions {
  /** When the last was. */
  sentAt = 0
  /** Without a reply; each has one at most, bar what the network repeats. */
  outstanding = 0
  /** Those of {@link outstanding} that the exchange before has left. */
  private owed = 0
  /** When the last of the alternate was. */
  private alternateAt = 0
  /** Earlier times that an answer may still belong to. */
  private earlier: Array<number> | undefined = undefined
  private readonly roundTrip: RoundTrip

  constructor(roundTrip: RoundTrip) {
    this.roundTrip = roundTrip
  }

  /** The exchange before, on the same socket, has left that many outstanding. */
  comeAfter(outstanding: number): void {
    this.owed = outstanding
    this.outstanding = outstanding
  }

  /** A datagram goes out. */
  add(now: number, isAlternate: boolean): void {
    if (this.outstanding > this.owed) (this.earlier ??= []).push(this.sentAt)
    this.outstanding++
    this.sentAt = now
    if (isAlternate) this.alternateAt = now
  }

  /** Whether what came now came too soon to be the reply to the last transmission. */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /** Whether what came now is a reply to the exchange before; it is then accounted for. */
  isOwed(now: number): boolean {
    if (this.owed === 0 || !this.isTooSoon(now)) return false
    this.owed--
    this.outstanding--
    return true
  }

  /** The round trip of a reply that came now, in ms. */
  measure(now: number): number {
    let rttMs = now - this.sentAt
    if (this.outstanding === 1) {
      this.roundTrip.sample(rttMs)
      this.earlier = undefined
    } else if (this.earlier !== undefined) {
      for (let i = this.earlier.length; rttMs < this.roundTrip.minMs / 2 && i > 0;) rttMs = now - this.earlier[--i]!
    }
    this.outstanding = Math.max(0, this.outstanding - 1)
    return rttMs
  }

  /** The same where the reply tells whether it is one to the alternate. */
  measureByKind(now: number, isAlternate: boolean): number {
    if (this.earlier === undefined) return this.measure(now)
    const times = [...this.earlier, this.sentAt].filter((time) => (time === this.alternateAt) === isAlternate)
    return now - (times.at(-1) ?? this.sentAt)
  }

  /** A reply came after the answer. Once all have come it is known which belongs to which: the last to the last. */
  late(now: number): void {
    if (this.outstanding > 0 && --this.outstanding === 0) this.roundTrip.sample(now - this.sentAt)
  }
}
