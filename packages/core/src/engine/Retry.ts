/**
 * Retransmission and round-trip times of the machines over UDP. The delay before a retransmission follows the server's round-trip time
 * (RFC 6298 without its minimum of one second) and grows with each silence. It varies, so that many queries do not retransmit in step.
 * No other module computes such a delay.
 *
 * Replies carry no number, so Karn's algorithm decides what a reply says about the round-trip time: it is exact if only one datagram can
 * have caused the reply. Otherwise it is ambiguous, and the estimate of the server's round-trip time does not use it.
 */
import type { DecodeError } from "@sourcewire/protocol"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, INITIAL_RTO_SHARE, JITTER, MIN_RTO_MS, WRONG_KIND_MS } from "../Limits.ts"
import type { ExchangeSettings, MeasuredRoundTrip } from "./Exchange.ts"

/** After so many samples of many servers the estimate moves more slowly: there are thousands per second. */
const FIRST_SAMPLES = 16

/** How to estimate a round-trip time. */
export interface RoundTripOptions {
  /** Shortest delay before a first retransmission once a round-trip time is known, in ms (default: 100). */
  readonly minRtoMs?: number
  /** Whether the samples are of many servers, as in a scan, so that they say little about a single one (default: false). */
  readonly isShared?: boolean
}

/** The estimated round-trip time to a server, or to the servers of a scan. */
export class RoundTrip {
  /** Smallest sample, in ms; 0 while there is none. */
  minMs = 0
  /** Smoothed round-trip time, in ms; 0 while there is no sample. */
  smoothedMs = 0
  /** Smoothed deviation, in ms. */
  deviationMs = 0
  /** The delay before a first retransmission, in ms. */
  rtoMs: number
  readonly isShared: boolean
  private samples = 0
  /** How long a reply can have taken whose request was retransmitted too early; 0 if none was since the last sample. */
  private tooEarlyMs = 0
  private readonly minRtoMs: number

  constructor({ isShared = false, minRtoMs = MIN_RTO_MS }: RoundTripOptions = {}) {
    this.isShared = isShared
    this.minRtoMs = minRtoMs
    this.rtoMs = Math.max(minRtoMs, INITIAL_RTO_MS)
  }

  /** Adds an exact round-trip time. */
  sample(rttMs: number): void {
    let doubt = 4
    if (this.samples++ === 0) {
      this.minMs = this.smoothedMs = rttMs
      this.deviationMs = rttMs / 2
      // A query has two or three rounds and no time for the doubt that RFC 6298 begins with: where a tenth is lost each way and a round
      // trip takes 200 ms, halving it lets 1 instead of 3 in a thousand fail.
      doubt = 2
    } else {
      if (rttMs < this.minMs) this.minMs = rttMs
      const slowness = this.isShared && this.samples > FIRST_SAMPLES ? 8 : 1
      const off = rttMs - this.smoothedMs
      this.deviationMs += ((off < 0 ? -off : off) - this.deviationMs) / (4 * slowness)
      this.smoothedMs += off / (8 * slowness)
    }
    this.tooEarlyMs = 0
    this.rtoMs = Math.max(this.minRtoMs, this.smoothedMs + doubt * this.deviationMs)
  }

  /**
   * A retransmission was unnecessary, because each of two datagrams got its reply. The first reply took this long at most. The next
   * request waits for longer, so that its reply is exact. Nothing changes if that time is not a number.
   */
  onTooEarly(rttMs: number): void {
    if (this.isShared || Number.isNaN(rttMs)) return
    this.tooEarlyMs = Math.max(this.tooEarlyMs, rttMs)
    this.rtoMs = Math.max(this.rtoMs, this.leastRtoMs)
  }

  /** A shorter delay than this would retransmit before the usual reply can arrive, in ms. */
  get leastRtoMs(): number {
    return Math.max(this.smoothedMs, this.tooEarlyMs) * (1 + 2 * JITTER)
  }

  /**
   * How long to wait for the next fragment after one has come, in ms. Servers send all of them in one go, so the rest is close behind; a
   * retransmission before that would only cause all of them to be sent twice.
   */
  get restMs(): number {
    return Math.max(MIN_RTO_MS, this.smoothedMs || INITIAL_RTO_MS)
  }
}

/** The sum of the delays before so many retransmissions, in units of the first. */
export const sumOfWaits = (retries: number): number => (BACKOFF_FACTOR ** retries - 1) / (BACKOFF_FACTOR - 1)

/** The delay after so many transmissions if nothing is known of the round-trip time, in ms. Consoles over UDP use it. */
export const repeatAfterMs = (timeoutMs: number, sent: number): number =>
  Math.min(INITIAL_RTO_MS, INITIAL_RTO_SHARE * timeoutMs) * BACKOFF_FACTOR ** (sent - 1)

/** The kinds of requests of one exchange, which its replies answer. Bits, since some replies can answer several. */
export const RequestKind = {
  /** A request without a challenge of this query. A challenge is the reply, or the answer from servers that need none. */
  Opening: 1,
  /** A request with a challenge, of this query or kept from the one before. The answer is the reply. */
  Challenged: 2,
  /** Something else, whose replies are of another type. */
  Alternate: 4
} as const

const KINDS = 3

/** The transmissions of one exchange: when to send again, when to stop, and how long the reply took. */
export class Retry {
  readonly settings: ExchangeSettings
  readonly roundTrip: RoundTrip
  /** Datagrams sent. */
  sent = 0
  /** Until when to wait for a reply. */
  deadline = Number.POSITIVE_INFINITY
  /** Delays in a row that passed in silence since the exchange last made progress. */
  silences = 0
  /** When the time allowed began. */
  startedAt = 0
  /** When the last datagram was sent. */
  sentAt = 0
  /** The error that the source of jitter threw. An exchange with such an error fails with it. */
  fault: unknown = undefined
  /** The error of the first malformed reply. */
  damage: DecodeError | undefined = undefined
  private endsAt = 0
  /** Datagrams without a reply. */
  private waiting = 0
  /** Datagrams without a reply, by what they request. */
  private readonly unanswered = [0, 0, 0]
  /** When the first of them was sent. */
  private readonly firstSentAt = [0, 0, 0]
  /** The kinds of requests of which a reply was ambiguous. Later replies to them may belong to the same datagram, so they are, too. */
  private ambiguousKinds = 0
  /** Replies to the exchange before that may still come. */
  private owed = 0
  /** How long the reply took, in ms; not a number before the first one. */
  private rttMs = Number.NaN
  private isExact = false
  /** If that is ambiguous: how long it can have taken, in ms; otherwise not a number. */
  private atMostMs = Number.NaN

  /** Without a `roundTrip`, nothing is known of the server's. */
  constructor(settings: ExchangeSettings, roundTrip: RoundTrip = new RoundTrip()) {
    this.settings = settings
    this.roundTrip = roundTrip
  }

  /** Makes it new, for another server. */
  reset(): void {
    this.sent = this.silences = this.startedAt = this.endsAt = this.sentAt = this.owed = 0
    this.deadline = Number.POSITIVE_INFINITY
    this.rttMs = this.atMostMs = Number.NaN
    this.isExact = false
    this.damage = this.fault = undefined
    if (this.waiting > 0) for (let index = 0; index < KINDS; index++) this.unanswered[index] = 0
    this.waiting = this.ambiguousKinds = 0
  }

  /** Replies that may still come. */
  get outstanding(): number {
    return this.owed + this.waiting
  }

  /** How long the reply took, exactly if that is known. Absent before the first reply. */
  get rtt(): MeasuredRoundTrip | undefined {
    const { isExact, rttMs } = this
    if (isExact) return { rttMs }
    return Number.isNaN(rttMs) ? undefined : { rttMs, rttAmbiguous: true }
  }

  /** The exchange before, on the same socket, has left so many replies outstanding. */
  comeAfter(outstanding: number): void {
    this.owed = outstanding
  }

  /** The time allowed begins. */
  begin(now: number): void {
    this.startedAt = now
    this.endsAt = now + this.settings.timeoutMs
  }

  /** A datagram is sent that requests this (see {@link RequestKind}). Waits for so long, in ms, or for as long as a reply usually takes. */
  send(now: number, kind: number, waitMs?: number): void {
    // 1, 2 and 4 become 0, 1 and 2.
    const index = kind >> 1
    if (this.unanswered[index]!++ === 0) this.firstSentAt[index] = now
    this.waiting++
    this.sent++
    this.sentAt = now
    this.waitUntil(now + (waitMs ?? this.usualMs()))
  }

  /** `deadline` has passed without a reply. Returns whether to send again, wait for the rest of the time, or stop. */
  afterSilence(now: number): "again" | "wait" | "over" {
    if (this.isOver(now)) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
  }

  /** The exchange has made progress: silence before it no longer counts. */
  onProgress(): void {
    this.silences = 0
  }

  /** The answer is damaged: whether to request it once more. A damaged datagram and a broken server look the same the first time. */
  onDamaged(error: DecodeError): boolean {
    if (this.damage !== undefined || this.settings.retries === 0) return false
    this.damage = error
    return true
  }

  /** Something else came. The server lives, so the next transmission comes sooner. */
  hasten(now: number): void {
    const soonMs = Math.max(WRONG_KIND_MS, 2 * this.roundTrip.smoothedMs) * BACKOFF_FACTOR ** this.silences
    this.deadline = Math.min(this.deadline, now + soonMs)
  }

  /** Waits until then, or until the end of the time allowed. */
  waitUntil(at: number): void {
    this.deadline = Math.min(this.endsAt, at)
  }

  /** The exchange is done: there is nothing to wait for. */
  end(): void {
    this.deadline = Number.POSITIVE_INFINITY
  }

  /** Whether the time allowed is over. */
  isOver(now: number): boolean {
    return now >= this.endsAt
  }

  /** Whether a datagram of this kind has no reply yet. */
  isOutstanding(kind: number): boolean {
    return this.unanswered[kind >> 1]! > 0
  }

  /**
   * Whether a reply that comes now is too early for the last transmission: less than half of the shortest round trip after it. Then it is a
   * reply to an earlier transmission, or a copy that the network made.
   */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /**
   * Whether a reply that comes now belongs to the exchange before. If so, one reply fewer is expected of that one. Called once for each
   * challenge and answer, before `measure`.
   */
  isOwed(now: number): boolean {
    if (this.owed === 0 || !this.isTooSoon(now)) return false
    this.owed--
    return true
  }

  /**
   * A reply came at `at` that answers a request of one of these kinds. Its round-trip time is exact if a single datagram can have caused
   * it. An exact time is not replaced by a guess.
   */
  measure(at: number, kinds: number): void {
    let candidates = 0
    let candidateKinds = 0
    let firstSentAt = this.sentAt
    for (let index = 0; index < KINDS; index++) {
      if ((kinds & (1 << index)) === 0 || this.unanswered[index] === 0) continue
      candidates += this.unanswered[index]!
      candidateKinds |= 1 << index
      firstSentAt = Math.min(firstSentAt, this.firstSentAt[index]!)
    }
    this.takeReply(kinds)
    const mayBeOlder = this.owed > 0 || this.damage !== undefined || (kinds & this.ambiguousKinds) !== 0
    if (candidates === 1 && !mayBeOlder) {
      this.rttMs = at - firstSentAt
      this.isExact = true
      this.roundTrip.sample(this.rttMs)
      return
    }
    this.ambiguousKinds |= candidateKinds
    if (this.isExact) return
    this.atMostMs = at - firstSentAt
    this.rttMs = this.guess(at - this.sentAt)
  }

  /**
   * A reply to a request of one of these kinds came again. If the request was sent again, that was probably unnecessary. The round-trip
   * time stays ambiguous, since the network or the server may have repeated the reply.
   */
  onRepeated(kinds: number): void {
    if (this.takeReply(kinds) && !this.isExact) this.roundTrip.onTooEarly(this.atMostMs)
  }

  /** One request of these kinds has its reply: the oldest. Returns whether there was one. */
  private takeReply(kinds: number): boolean {
    for (let index = 0; index < KINDS; index++) {
      if ((kinds & (1 << index)) === 0 || this.unanswered[index] === 0) continue
      this.unanswered[index]!--
      this.waiting--
      return true
    }
    return false
  }

  /** Delay before a retransmission, in ms, unless something else is known. */
  private usualMs(): number {
    const { roundTrip, silences } = this
    // A short timeout has several tries. A retransmission before the reply can be there would only cause it to be sent twice.
    const mostMs = Math.max((this.endsAt - this.startedAt) * INITIAL_RTO_SHARE, roundTrip.leastRtoMs)
    // A power takes longer than all the rest here.
    const backoff = silences === 0 ? 1 : BACKOFF_FACTOR ** silences
    return Math.min(roundTrip.rtoMs, mostMs) * backoff * (1 + JITTER * (2 * this.drawn() - 1))
  }

  /** A number for the jitter. */
  private drawn(): number {
    try {
      return this.settings.random()
    } catch (error) {
      this.fault = error
      return 0.5
    }
  }

  /**
   * The likeliest round-trip time of an ambiguous reply: since the first or since the last datagram that can have caused it, whichever is
   * closer to what is known of the server. If nothing is known, it is counted from the first: a loss usually makes only one of the two
   * rounds of a query ambiguous, so a query whose rounds both are has probably met a slow server.
   */
  private guess(sinceLastMs: number): number {
    const { isShared, smoothedMs } = this.roundTrip
    const { atMostMs } = this
    if (isShared || smoothedMs === 0) return atMostMs
    return Math.abs(sinceLastMs - smoothedMs) < Math.abs(atMostMs - smoothedMs) ? sinceLastMs : atMostMs
  }
}
