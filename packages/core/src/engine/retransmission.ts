/**
 * What the machines over UDP have in common: a question that is repeated in silence, and once more where its answer came damaged. When
 * to ask again follows the round trip that is known of the server (RFC 6298 without its floor of a second), and grows with each silence.
 * It varies, so that many questions are not repeated in step. Nothing else computes a wait before a retransmission.
 *
 * Replies carry no number. A reply that one transmission alone can explain tells the round trip (Karn's rule); of any other it is a
 * guess, which is marked as such. What several transmissions leave open is the matter of `unanswered.ts`.
 */
import type { DecodeError } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, INITIAL_RTO_SHARE, JITTER, MIN_RTO_MS, WRONG_KIND_MS } from "../Limits.ts"
import { type Exchange, type ExchangeSettings, type MeasuredRoundTrip, Step } from "./Exchange.ts"
import type { QueryError } from "./QueryError.ts"
import { Unanswered } from "./unanswered.ts"

/** What is known about the round trip to a server. */
export class RoundTrip {
  /** Smallest sample, in ms; 0 while there is none. */
  minMs = 0
  /** Smoothed round trip, in ms; 0 while there is no sample. */
  smoothedMs = 0
  /** Smoothed deviation, in ms. */
  deviationMs = 0
  /** How long to wait before a first retransmission, in ms. */
  rtoMs: number
  private samples = 0
  private readonly minRtoMs: number
  private readonly fastSamples: number

  /** `minRtoMs` is the least to wait before a first retransmission. After `fastSamples` the estimate moves at an eighth of the speed. */
  constructor(minRtoMs: number = MIN_RTO_MS, fastSamples: number = Number.POSITIVE_INFINITY) {
    this.minRtoMs = minRtoMs
    this.fastSamples = fastSamples
    this.rtoMs = Math.max(minRtoMs, INITIAL_RTO_MS)
  }

  /** Takes in a round trip that is known for sure. */
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
      const slowness = this.samples > this.fastSamples ? 8 : 1
      const off = rttMs - this.smoothedMs
      this.deviationMs += ((off < 0 ? -off : off) - this.deviationMs) / (4 * slowness)
      this.smoothedMs += off / (8 * slowness)
    }
    this.rtoMs = Math.max(this.minRtoMs, this.smoothedMs + doubt * this.deviationMs)
  }

  /**
   * How long after a fragment to wait for the next, in ms. Servers send all in one go, so the rest is close behind; asking again before
   * would only bring all of it twice.
   */
  get restMs(): number {
    return Math.max(MIN_RTO_MS, this.smoothedMs || INITIAL_RTO_MS)
  }
}

/** How long the waits before so many retransmissions take together, in units of the first. */
export const sumOfWaits = (retries: number): number => (BACKOFF_FACTOR ** retries - 1) / (BACKOFF_FACTOR - 1)

/** One question. The fields that are not of `Exchange` are for reading when it is done. */
export abstract class RepeatedQuestion<A> implements Exchange<A> {
  abstract readonly packet: Uint8Array
  result: Result.Result<A, QueryError> | undefined = undefined
  /** Datagrams sent. */
  sent = 0
  /** Datagrams received, of whatever kind. */
  received = 0
  /** Until when to wait. */
  deadline = Number.POSITIVE_INFINITY
  /** Waits in a row that passed in silence since the question last got further. */
  silences = 0
  readonly roundTrip: RoundTrip
  readonly settings: ExchangeSettings
  /** When the time allowed began, and when it is up. */
  startedAt = 0
  private endsAt = 0
  /** When the last datagram went out. */
  sentAt = 0
  /** What that one asked for, while it alone has no reply, as usual. */
  private lone = 0
  /** All without a reply, from when there were two at a time. */
  protected several: Unanswered | undefined = undefined
  /** What replies have told of the round trip, in ms, and whether one of them had one explanation; not a number before the first. */
  private rttMs = Number.NaN
  private isFact = false
  /** What was wrong with the answer that came damaged. */
  damage: DecodeError | undefined = undefined

  /** Without a `roundTrip` nothing is known of the server's. */
  constructor(settings: ExchangeSettings, roundTrip: RoundTrip = new RoundTrip()) {
    this.settings = settings
    this.roundTrip = roundTrip
  }

  abstract receive(datagram: Uint8Array, now: number): Step
  abstract expire(now: number): Step
  /** What the packet asks for, as in `Asked`. */
  protected abstract get asked(): number

  /** As new, to ask another server, once it has ended. */
  reset(): void {
    this.sent = this.received = this.silences = this.startedAt = this.endsAt = this.sentAt = this.lone = 0
    this.deadline = Number.POSITIVE_INFINITY
    this.rttMs = Number.NaN
    this.isFact = false
    this.result = this.damage = undefined
    this.several?.reset()
  }

  /** Transmissions without a reply; each has one at most, bar what the network repeats. */
  get outstanding(): number {
    return this.lone === 0 ? (this.several?.count ?? 0) : 1
  }

  /** What replies have told of the round trip: a fact, if one had one explanation. Absent before the first. */
  get rtt(): MeasuredRoundTrip | undefined {
    const { isFact, rttMs } = this
    if (isFact) return { rttMs }
    return Number.isNaN(rttMs) ? undefined : { rttMs, rttAmbiguous: true }
  }

  /** The exchange before, on the same socket, has left that many outstanding. */
  comeAfter(outstanding: number): void {
    if (outstanding > 0) this.listed.owed = outstanding
  }

  start(now: number): Step {
    this.begin(now)
    return this.ask(now)
  }

  fail(error: QueryError): Step {
    return this.result === undefined ? this.finish(Result.fail(error)) : Step.Done
  }

  /** The time allowed begins. */
  begin(now: number): void {
    this.startedAt = now
    this.endsAt = now + this.settings.timeoutMs
  }

  /** Sends the packet, and waits for so long for a reply, in ms, or for as long as one usually takes. */
  ask(now: number, waitMs?: number): Step {
    if (this.lone === 0 && (this.several?.count ?? 0) === 0) this.lone = this.asked
    else this.listed.add(now, this.asked)
    this.sent++
    this.sentAt = now
    const { rtoMs, smoothedMs } = this.roundTrip
    // However short the time is, asking again before an answer can be there would only bring it twice.
    const most = Math.max((this.endsAt - this.startedAt) * INITIAL_RTO_SHARE, smoothedMs * (1 + 2 * JITTER))
    // A power takes longer than all the rest here.
    const backoff = this.silences === 0 ? 1 : BACKOFF_FACTOR ** this.silences
    const usualMs = Math.min(rtoMs, most) * backoff * (1 + JITTER * (2 * this.settings.random() - 1))
    this.waitUntil(now + (waitMs ?? usualMs))
    return Step.Send
  }

  /** The answer came, but cannot be read: a damaged datagram and a broken server look the same the first time. */
  receiveDamaged(error: DecodeError, now: number): Step {
    if (this.damage !== undefined || this.settings.retries === 0) return this.finish(Result.fail(error))
    this.damage = error
    return this.ask(now)
  }

  finish(result: Result.Result<A, QueryError>): Step {
    this.result = result
    this.deadline = Number.POSITIVE_INFINITY
    return Step.Done
  }

  /** What to do now that `deadline` has passed in silence: `again` is to send once more, `over` to end. */
  afterSilence(now: number): "again" | "wait" | "over" {
    if (this.isOver(now)) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
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

  /** Whether the time allowed is up. */
  isOver(now: number): boolean {
    return now >= this.endsAt
  }

  /** Whether what came now came too soon to be the reply to the last transmission: the network has repeated the one before. */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /** Whether what came now is a reply to the exchange before; it is then accounted for. */
  isOwed(now: number): boolean {
    return this.several !== undefined && this.isTooSoon(now) && this.several.takeOwed()
  }

  /** A reply came now. `asked` is what it can be a reply to. */
  measure(now: number, asked: number): void {
    let rttMs = now - this.sentAt
    let isFact = (this.lone & asked) !== 0
    if (isFact) this.lone = 0
    else ({ isFact, rttMs } = this.listed.measure(now, asked, this.roundTrip.smoothedMs, rttMs))
    if (isFact) this.roundTrip.sample(rttMs)
    else if (this.isFact) return
    this.rttMs = rttMs
    this.isFact = isFact
  }

  /** A reply came after the answer. It tells the round trip if that was not known for sure. */
  measureLate(now: number, asked: number): void {
    const { isFact, rttMs } = this
    this.measure(now, asked)
    if (isFact || !this.isFact) this.rttMs = rttMs
  }

  /** All without a reply. The lone one is one of several, or is to be asked about as if it were. */
  get listed(): Unanswered {
    const { lone, sentAt } = this
    this.several ??= new Unanswered()
    this.lone = 0
    if (lone !== 0) this.several.add(sentAt, lone)
    return this.several
  }
}
