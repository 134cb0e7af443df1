/**
 * What the machines over UDP have in common: a question that is repeated in silence, and once more where its answer came damaged; what
 * replies say of the round trip. Nothing else computes a wait before a retransmission.
 *
 * - The wait follows the round trip that is known of the server, and grows with each silence. It varies, so that many questions are not
 *   repeated in step.
 * - Replies carry no number. A reply that one transmission alone can explain tells the round trip; of any other it is a guess, which is
 *   marked as such.
 */
import type { DecodeError } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { BACKOFF_FACTOR, INITIAL_RTO_SHARE, JITTER, WRONG_KIND_MS } from "../Limits.ts"
import type { Exchange, ExchangeSettings } from "./Exchange.ts"
import { Step } from "./Exchange.ts"
import type { QueryError } from "./QueryError.ts"
import type { MeasuredRoundTrip } from "./RoundTrip.ts"
import { RoundTrip } from "./RoundTrip.ts"
import { Unanswered } from "./unanswered.ts"

/** What a transmission asks for, and a reply is to. Bits, since an answer can be to several. */
export const Asked = {
  /** Without a challenge of this query; a challenge is the reply, or the answer where none is wanted. */
  Opening: 1,
  /** With a challenge of this query; the answer is the reply. */
  Challenged: 2,
  /** Something else, whose replies are of another type. */
  Alternate: 4
} as const

/** What to do now that a wait has passed: `again` is to send once more, `over` to end. */
export type Verdict = "again" | "wait" | "over"

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
  private timeoutMs = 0
  /** When the time allowed began. */
  startedAt = 0
  /** When the last datagram went out. */
  sentAt = 0
  /** What the last asked for, while it alone has no reply, as usual. */
  private lone = 0
  /** Those without a reply, from when there were two at a time. */
  private unanswered: Unanswered | undefined = undefined
  /** The same of the question before, empty, to be used again. */
  private spare: Unanswered | undefined = undefined
  /** Those that the exchange before has left without a reply. */
  private owed = 0
  /** Round trip of a reply with one explanation, in ms: the answer's, or else of another of the question. */
  private factMs: number | undefined = undefined
  /** A guess at that of the last reply, in ms. */
  private guessMs: number | undefined = undefined
  /** What it may be, in ms, where nothing is known of the server; 0 for no idea. */
  private hintMs = 0
  /** What was wrong with the answer that came damaged. */
  damage: DecodeError | undefined = undefined

  /** Without a `roundTrip` nothing is known of the server's. */
  constructor(settings: ExchangeSettings, roundTrip: RoundTrip = new RoundTrip()) {
    this.settings = settings
    this.roundTrip = roundTrip
  }

  abstract receive(datagram: Uint8Array, now: number): Step
  abstract expire(now: number): Step
  /** What the packet asks for. */
  protected abstract get asked(): number

  /** As new, to ask another server, once it has ended. */
  reset(): void {
    this.sent =
      this.received =
      this.silences =
      this.timeoutMs =
      this.startedAt =
      this.sentAt =
      this.lone =
      this.owed =
      this.hintMs =
        0
    this.deadline = Number.POSITIVE_INFINITY
    this.factMs = this.guessMs = this.result = this.damage = undefined
    if (this.unanswered === undefined) return
    this.unanswered.reset()
    this.spare = this.unanswered
    this.unanswered = undefined
  }

  /** Transmissions without a reply; each has one at most, bar what the network repeats. */
  get outstanding(): number {
    return (this.lone === 0 ? this.owed : this.owed + 1) + (this.unanswered?.count ?? 0)
  }

  /** What replies have told of the round trip: a fact, if one had one explanation. Absent before the first. */
  get rtt(): MeasuredRoundTrip | undefined {
    if (this.factMs !== undefined) return { rttMs: this.factMs }
    return this.guessMs === undefined ? undefined : { rttMs: this.guessMs, rttAmbiguous: true }
  }

  /** The exchange before, on the same socket, has left that many outstanding. */
  comeAfter(outstanding: number): void {
    this.owed = outstanding
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
    this.timeoutMs = this.settings.timeoutMs
    this.startedAt = now
  }

  /** Sends the packet. */
  ask(now: number, waitMs?: number): Step {
    this.transmit(now, this.asked, waitMs)
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

  /** A datagram goes out. */
  transmit(now: number, asked: number, waitMs: number = this.waitMs()): void {
    if (this.lone === 0 && this.unanswered === undefined) this.lone = asked
    else this.listed.add(now, asked)
    this.sent++
    this.sentAt = now
    this.deadline = Math.min(this.endsAt, now + waitMs)
  }

  /** `deadline` has passed in silence. */
  afterSilence(now: number): Verdict {
    if (this.isOver(now)) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
  }

  /** Something came that belongs to the answer: waits until it has been quiet for as long as the round trip gives reason to. */
  listen(now: number): void {
    this.waitUntil(now + this.roundTrip.restMs)
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

  /** Whether one of that kind has no reply yet. */
  awaits(asked: number): boolean {
    return this.listed.has(asked)
  }

  /** Whether what came now came too soon to be the reply to the last transmission: the network has repeated the one before. */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /** Whether what came now is a reply to the exchange before; it is then accounted for. */
  isOwed(now: number): boolean {
    if (this.owed === 0 || !this.isTooSoon(now)) return false
    this.owed--
    return true
  }

  /** A reply came now. `asked` is what it can be a reply to. */
  measure(now: number, asked: number): void {
    // The reply itself leaves less to guess from.
    const isOne = this.lone !== 0 || this.outstanding === 1
    const guessMs = isOne ? undefined : this.listed.guess(now, asked, this.roundTrip.smoothedMs || this.hintMs)
    this.factMs = this.reply(now, asked) ?? this.factMs
    if (this.factMs === undefined) this.guessMs = guessMs ?? now - this.sentAt
  }

  /** What can be said of the round trip while it is open whether what came now is the reply. */
  suppose(now: number): MeasuredRoundTrip {
    return { rttMs: now - this.sentAt, rttAmbiguous: true }
  }

  /**
   * The challenge in use has come again: asked for by an opening before it was there, or repeated by the network, or by a server that
   * wants it twice. That is good for a guess at most.
   */
  receiveRepeated(now: number): void {
    this.hintMs = this.listed.replyTo(now, Asked.Opening) ?? this.hintMs
  }

  /** A reply came after the answer. It tells the round trip if that was not known for sure. */
  measureLate(now: number, asked: number): void {
    const factMs = this.reply(now, asked)
    this.factMs ??= factMs
  }

  private get endsAt(): number {
    return this.startedAt + this.timeoutMs
  }

  /** How long to wait for a reply to the next, in ms. */
  private waitMs(): number {
    const { rtoMs, smoothedMs } = this.roundTrip
    // However short the time is, asking again before an answer can be there would only bring it twice.
    const most = Math.max(this.timeoutMs * INITIAL_RTO_SHARE, smoothedMs * (1 + 2 * JITTER))
    // A power takes longer than all the rest here.
    const backoff = this.silences === 0 ? 1 : BACKOFF_FACTOR ** this.silences
    return Math.min(rtoMs, most) * backoff * (1 + JITTER * (2 * this.settings.random() - 1))
  }

  /** All without a reply. The lone one is one of several, or is to be asked about as if it were. */
  private get listed(): Unanswered {
    const { lone, sentAt } = this
    this.unanswered ??= this.spare ?? new Unanswered()
    this.lone = 0
    if (lone !== 0) this.unanswered.add(sentAt, lone)
    return this.unanswered
  }

  private reply(now: number, asked: number): number | undefined {
    let factMs: number | undefined
    if ((this.lone & asked) !== 0 && this.owed === 0) {
      this.lone = 0
      factMs = now - this.sentAt
    } else {
      factMs = this.listed.reply(now, asked)
      if (this.owed > 0) return undefined
    }
    if (factMs !== undefined) this.roundTrip.sample(factMs)
    return factMs
  }
}
