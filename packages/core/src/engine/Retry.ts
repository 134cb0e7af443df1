/**
 * Retransmissions and round-trip times of the exchanges over UDP. The delay before a retransmission depends on the server's round-trip time
 * (RFC 6298 without its minimum of one second), and grows with each retransmission. The delay has a random part, so that many queries do
 * not retransmit at the same time. No other module computes delays before retransmissions.
 *
 * A reply does not identify its request. Therefore, after a retransmission, it is unknown which of the two datagrams caused the reply. As
 * in Karn's algorithm, a round-trip time is exact only if a single datagram can have caused the reply. Otherwise the round-trip time is
 * ambiguous, and does not change the estimate for the server.
 */
import type { DecodeError } from "@sourcewire/protocol"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, INITIAL_RTO_SHARE, JITTER, MIN_RTO_MS, WRONG_KIND_MS } from "../Limits.ts"
import type { ExchangeSettings, MeasuredRoundTrip } from "./Exchange.ts"

/**
 * Number of samples at the start of a scan that have the weights of RFC 6298 in the estimated round-trip time. The weights of all later
 * samples are divided by 8, because thousands of samples arrive per second.
 */
const FIRST_SAMPLES = 16

/** Options of {@link RoundTrip}. */
export interface RoundTripOptions {
  /** Minimum delay before a first retransmission, in ms (default: 100). */
  readonly minRtoMs?: number
  /**
   * Whether the samples come from many servers, as in a scan (default: false). If true, an ambiguous round-trip time is not compared with
   * the estimate, because the estimate shows little about a single server.
   */
  readonly isShared?: boolean
}

/** The estimated round-trip time to a server, or to the servers of a scan. */
export class RoundTrip {
  /** Smallest round-trip time of all samples, in ms; 0 before the first sample. */
  minMs = 0
  /** Smoothed round-trip time, in ms; 0 before the first sample. */
  smoothedMs = 0
  /** Smoothed deviation of the samples from the smoothed round-trip time, in ms. */
  deviationMs = 0
  /** The delay before a first retransmission, in ms. */
  rtoMs: number
  readonly isShared: boolean
  private samples = 0
  /**
   * The largest upper limit of the round-trip time of a request that was retransmitted before its reply arrived, in ms. Only requests since
   * the last sample are included. 0 if there was no such request.
   */
  private tooEarlyMs = 0
  private readonly minRtoMs: number

  constructor({ isShared = false, minRtoMs = MIN_RTO_MS }: RoundTripOptions = {}) {
    this.isShared = isShared
    this.minRtoMs = minRtoMs
    this.rtoMs = Math.max(minRtoMs, INITIAL_RTO_MS)
  }

  /** Adds an exact round-trip time. */
  sample(rttMs: number): void {
    let deviationFactor = 4
    if (this.samples++ === 0) {
      this.minMs = this.smoothedMs = rttMs
      this.deviationMs = rttMs / 2
      // RFC 6298 always multiplies the deviation by 4. After the first sample, this class multiplies it by 2, so that a lost datagram is
      // retransmitted earlier. This helps, because a query has only two or three rounds, and a lost datagram delays a whole round. If a
      // tenth of the datagrams is lost in each direction and the RTT is 200 ms, 3 of 1,000 queries fail with the factor 4, and 1 of 1,000
      // with the factor 2.
      deviationFactor = 2
    } else {
      if (rttMs < this.minMs) this.minMs = rttMs
      const slowness = this.isShared && this.samples > FIRST_SAMPLES ? 8 : 1
      const off = rttMs - this.smoothedMs
      this.deviationMs += ((off < 0 ? -off : off) - this.deviationMs) / (4 * slowness)
      this.smoothedMs += off / (8 * slowness)
    }
    this.tooEarlyMs = 0
    this.rtoMs = Math.max(this.minRtoMs, this.smoothedMs + deviationFactor * this.deviationMs)
  }

  /**
   * Called after an unnecessary retransmission: the server replied to the request and to its retransmission. The round-trip time of the
   * request was at most `rttMs` (if `rttMs` is `NaN`, the call has no effect). The delay before a retransmission becomes longer, so that
   * the next reply arrives within the delay and its round-trip time is exact.
   */
  onTooEarly(rttMs: number): void {
    if (this.isShared || Number.isNaN(rttMs)) return
    this.tooEarlyMs = Math.max(this.tooEarlyMs, rttMs)
    this.rtoMs = Math.max(this.rtoMs, this.leastRtoMs)
  }

  /** Minimum delay before a retransmission, in ms: a reply with the usual round-trip time arrives within this delay. */
  get leastRtoMs(): number {
    return Math.max(this.smoothedMs, this.tooEarlyMs) * (1 + 2 * JITTER)
  }

  /**
   * How long to wait for the next fragment after a fragment has arrived, in ms. Servers send all fragments at once, so the next fragment
   * usually arrives within this time. If the client retransmitted while fragments still arrive, the server would send all fragments twice.
   */
  get restMs(): number {
    return Math.max(MIN_RTO_MS, this.smoothedMs || INITIAL_RTO_MS)
  }
}

/** The sum of the first `retries` delays before retransmissions, divided by the first delay. */
export const sumBackoff = (retries: number): number => (BACKOFF_FACTOR ** retries - 1) / (BACKOFF_FACTOR - 1)

/** The delay after `sent` transmissions if the round-trip time is unknown, in ms. Used by RCON over UDP. */
export const repeatAfterMs = (timeoutMs: number, sent: number): number =>
  Math.min(INITIAL_RTO_MS, INITIAL_RTO_SHARE * timeoutMs) * BACKOFF_FACTOR ** (sent - 1)

/** The kinds of requests of one exchange. The values are bits, because a reply can belong to requests of several kinds. */
export const RequestKind = {
  /** A request without a challenge. The server sends a challenge or, if it requires no challenge, the reply itself. */
  Opening: 1,
  /** A request with a challenge. The challenge can be from an earlier query. The server sends the reply itself. */
  Challenged: 2,
  /**
   * An alternate request (see `Alternate`) whose replies differ in type from the replies to the first request. Any other alternate request
   * is of the kind `Opening`.
   */
  Alternate: 4
} as const

const KINDS = 3

/** The transmissions of one exchange. This class decides when to retransmit and when to stop, and measures the round-trip time. */
export class Retry {
  readonly settings: ExchangeSettings
  readonly roundTrip: RoundTrip
  /** Datagrams sent. */
  sent = 0
  /** Time until which the exchange waits for a reply. */
  deadline = Number.POSITIVE_INFINITY
  /** Number of retransmissions because of a missing reply, since the exchange last made progress. */
  silences = 0
  /** When the time limit began. */
  startedAt = 0
  /** When the last datagram was sent. */
  sentAt = 0
  /** The error that `settings.random` threw. The exchange fails with this error. */
  fault: unknown = undefined
  /** The error of the first malformed reply. */
  damage: DecodeError | undefined = undefined
  private endsAt = 0
  /** Number of datagrams without a reply. */
  private waiting = 0
  /** Number of datagrams without a reply, per kind of request. */
  private readonly unanswered = [0, 0, 0]
  /** When the first datagram without a reply was sent, per kind of request. */
  private readonly firstSentAt = [0, 0, 0]
  /**
   * The kinds of requests with an ambiguous round-trip time. The round-trip times of later replies to requests of these kinds are
   * ambiguous, too, because it is not known which datagrams already have a reply.
   */
  private ambiguousKinds = 0
  /** Number of replies to the previous exchange that may still arrive. */
  private previousOutstanding = 0
  /** Round-trip time, in ms; `NaN` before the first reply. */
  private rttMs = Number.NaN
  private isExact = false
  /** If the round-trip time is ambiguous, its upper limit, in ms; otherwise `NaN`. */
  private atMostMs = Number.NaN

  /** If `roundTrip` is absent, the server's round-trip time is unknown. */
  constructor(settings: ExchangeSettings, roundTrip: RoundTrip = new RoundTrip()) {
    this.settings = settings
    this.roundTrip = roundTrip
  }

  /** Prepares the object for another server. */
  reset(): void {
    this.sent = this.silences = this.startedAt = this.endsAt = this.sentAt = this.previousOutstanding = 0
    this.deadline = Number.POSITIVE_INFINITY
    this.rttMs = this.atMostMs = Number.NaN
    this.isExact = false
    this.damage = this.fault = undefined
    if (this.waiting > 0) for (let index = 0; index < KINDS; index++) this.unanswered[index] = 0
    this.waiting = this.ambiguousKinds = 0
  }

  /** Number of replies that may still arrive. */
  get outstanding(): number {
    return this.previousOutstanding + this.waiting
  }

  /** The exact round-trip time or, if no exact one is known, an estimate; `undefined` before the first reply. */
  get rtt(): MeasuredRoundTrip | undefined {
    const { isExact, rttMs } = this
    if (isExact) return { rttMs }
    return Number.isNaN(rttMs) ? undefined : { rttMs, rttAmbiguous: true }
  }

  /** Sets how many replies to the previous exchange may still arrive on the same socket. */
  expectLateReplies(outstanding: number): void {
    this.previousOutstanding = outstanding
  }

  /** Starts the time limit. */
  begin(now: number): void {
    this.startedAt = now
    this.endsAt = now + this.settings.timeoutMs
  }

  /**
   * Records that a request of this kind was sent (see {@link RequestKind}). The exchange waits `waitMs` for the reply (default: the
   * retransmission delay).
   */
  send(now: number, kind: number, waitMs?: number): void {
    // The kinds 1, 2 and 4 have the indexes 0, 1 and 2.
    const index = kind >> 1
    if (this.unanswered[index]!++ === 0) this.firstSentAt[index] = now
    this.waiting++
    this.sent++
    this.sentAt = now
    this.waitUntil(now + (waitMs ?? this.retransmissionDelayMs()))
  }

  /**
   * Called when `deadline` has passed without a reply. Returns whether to retransmit (`again`), to wait until the end of the time limit
   * (`wait`), or to stop (`over`).
   */
  afterSilence(now: number): "again" | "wait" | "over" {
    if (this.isOver(now)) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
  }

  /** Called when the exchange has made progress. Earlier retransmissions no longer count towards the maximum number of retransmissions. */
  onProgress(): void {
    this.silences = 0
  }

  /**
   * Called when a reply is malformed. Returns true if the exchange must send the request once more: the network may have damaged the reply.
   * If retransmissions are not allowed, or an earlier reply was malformed too, returns false.
   */
  onDamaged(error: DecodeError): boolean {
    if (this.damage !== undefined || this.settings.retries === 0) return false
    this.damage = error
    return true
  }

  /**
   * Called when a message of an unexpected type has arrived. The message shows that the server is up, so the next retransmission is sent
   * earlier than planned.
   */
  hasten(now: number): void {
    const soonMs = Math.max(WRONG_KIND_MS, 2 * this.roundTrip.smoothedMs) * BACKOFF_FACTOR ** this.silences
    this.deadline = Math.min(this.deadline, now + soonMs)
  }

  /** Sets the deadline to this time, or to the end of the time limit if that is earlier. */
  waitUntil(at: number): void {
    this.deadline = Math.min(this.endsAt, at)
  }

  /** Called when the exchange has ended. There is no further deadline. */
  end(): void {
    this.deadline = Number.POSITIVE_INFINITY
  }

  /** Whether the time limit has passed. */
  isOver(now: number): boolean {
    return now >= this.endsAt
  }

  /** Whether a request of this kind has no reply yet. */
  isOutstanding(kind: number): boolean {
    return this.unanswered[kind >> 1]! > 0
  }

  /**
   * Whether a reply that arrives now is too early for the last transmission: since this transmission, less than half of the shortest
   * round-trip time has passed. Such a reply belongs to an earlier transmission, or is a duplicate.
   */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /**
   * Whether a reply that arrives now belongs to the previous exchange. If so, the number of outstanding replies to the previous exchange
   * decreases by one. Called once for each challenge and reply, before `measure`.
   */
  belongsToPrevious(now: number): boolean {
    if (this.previousOutstanding === 0 || !this.isTooSoon(now)) return false
    this.previousOutstanding--
    return true
  }

  /**
   * Called when a reply to a request of one of these kinds has arrived at `at`. The round-trip time is exact if only one datagram can have
   * caused the reply. An estimate never replaces an exact round-trip time.
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
    const mayBeOlder = this.previousOutstanding > 0 || this.damage !== undefined || (kinds & this.ambiguousKinds) !== 0
    if (candidates === 1 && !mayBeOlder) {
      this.rttMs = at - firstSentAt
      this.isExact = true
      this.roundTrip.sample(this.rttMs)
      return
    }
    this.ambiguousKinds |= candidateKinds
    if (this.isExact) return
    this.atMostMs = at - firstSentAt
    this.rttMs = this.estimate(at - this.sentAt)
  }

  /**
   * Called when a reply to a request of one of these kinds has arrived again. If the request was retransmitted, the retransmission was
   * probably unnecessary. The round-trip time stays ambiguous, because the network or the server may have duplicated the reply.
   */
  onRepeated(kinds: number): void {
    if (this.takeReply(kinds) && !this.isExact) this.roundTrip.onTooEarly(this.atMostMs)
  }

  /** Records that a reply to a request of one of these kinds has arrived. Returns false if no reply to such a request was outstanding. */
  private takeReply(kinds: number): boolean {
    for (let index = 0; index < KINDS; index++) {
      if ((kinds & (1 << index)) === 0 || this.unanswered[index] === 0) continue
      this.unanswered[index]!--
      this.waiting--
      return true
    }
    return false
  }

  /** The usual delay before a retransmission, in ms. */
  private retransmissionDelayMs(): number {
    const { roundTrip, silences } = this
    // With the limit `mostMs`, several transmissions fit even into a short timeout. The limit is at least `leastRtoMs`. Otherwise a request
    // would be retransmitted before its reply can arrive, and the server would send the same reply twice.
    const mostMs = Math.max((this.endsAt - this.startedAt) * INITIAL_RTO_SHARE, roundTrip.leastRtoMs)
    // The operator `**` takes longer than all other operations of this function, so it is used only after a retransmission.
    const backoff = silences === 0 ? 1 : BACKOFF_FACTOR ** silences
    return Math.min(roundTrip.rtoMs, mostMs) * backoff * (1 + JITTER * (2 * this.randomNumber() - 1))
  }

  private randomNumber(): number {
    try {
      return this.settings.random()
    } catch (error) {
      this.fault = error
      return 0.5
    }
  }

  /**
   * Estimates an ambiguous round-trip time. There are two candidates: the time since the first datagram that can have caused the reply, and
   * the time since the last such datagram. The result is the candidate that is closer to the server's usual round-trip time.
   *
   * If the usual round-trip time is unknown, all rounds of the query (challenge and reply) were ambiguous. The cause is probably a slow
   * server, because a lost datagram makes only one round ambiguous. Therefore the result is the time since the first datagram.
   */
  private estimate(sinceLastMs: number): number {
    const { isShared, smoothedMs } = this.roundTrip
    const { atMostMs } = this
    if (isShared || smoothedMs === 0) return atMostMs
    return Math.abs(sinceLastMs - smoothedMs) < Math.abs(atMostMs - smoothedMs) ? sinceLastMs : atMostMs
  }
}
