/**
 * What a query has sent and has no reply to, by what each asks for, and what replies say of the round trip: a fact where one
 * transmission alone can explain a reply, else a guess that is marked as such.
 *
 * @module
 */
import { BACKOFF_FACTOR, INITIAL_RTO_SHARE, JITTER } from "../Limits.ts"
import type { ExchangeSettings } from "./Exchange.ts"
import type { MeasuredRoundTrip, RoundTrip } from "./RoundTrip.ts"
import { Unanswered } from "./unanswered.ts"

/**
 * What a transmission asks for, and a reply is to.
 *
 * - `opening`: without a challenge of this query; a challenge is the reply, or the answer where none is wanted.
 * - `challenged`: with a challenge of this query; the answer is the reply.
 * - `alternate`: something else, whose replies are of another type.
 */
export type Asked = "opening" | "challenged" | "alternate"

/** See the module. All times are ms of one monotonic clock. */
export class Transmissions {
  /** When the last was. */
  sentAt = 0
  /** Those that the exchange before has left without a reply. */
  private owed = 0
  /** Round trip of a reply with one explanation, in ms: the answer's, or else of another of the query. */
  private factMs: number | undefined = undefined
  /** What it may be, in ms, where nothing is known of the server; 0 for no idea. */
  private hintMs = 0
  private readonly unanswered: Partial<Record<Asked, Unanswered>> = {}
  private readonly roundTrip: RoundTrip

  constructor(roundTrip: RoundTrip) {
    this.roundTrip = roundTrip
  }

  /** Without a reply; each has one at most, bar what the network repeats. */
  get outstanding(): number {
    const { alternate, challenged, opening } = this.unanswered
    return this.owed + (opening?.count ?? 0) + (challenged?.count ?? 0) + (alternate?.count ?? 0)
  }

  /** The exchange before, on the same socket, has left that many outstanding. */
  comeAfter(outstanding: number): void {
    this.owed = outstanding
  }

  /** Another reply of this query has taken so long, in ms. */
  know(factMs: number | undefined): void {
    this.factMs = factMs
  }

  /** A datagram goes out. */
  add(now: number, asked: Asked): void {
    this.sentAt = now
    const unanswered = (this.unanswered[asked] ??= new Unanswered())
    unanswered.add(now)
  }

  /** How long to wait for a reply to the next, in ms, after so many waits in a row. */
  waitMs({ random, timeoutMs }: Pick<ExchangeSettings, "random" | "timeoutMs">, waits: number): number {
    const { rtoMs, smoothedMs } = this.roundTrip
    // However short the time is, asking again before an answer can be there would only bring it twice.
    const most = Math.max(timeoutMs * INITIAL_RTO_SHARE, smoothedMs * (1 + 2 * JITTER))
    return Math.min(rtoMs, most) * BACKOFF_FACTOR ** waits * (1 + JITTER * (2 * random() - 1))
  }

  /** Whether one of that kind has no reply yet. */
  awaits(asked: Asked): boolean {
    return (this.unanswered[asked]?.count ?? 0) > 0
  }

  /** Whether what came now came too soon to be the reply to the last transmission. */
  isTooSoon(now: number): boolean {
    return now - this.sentAt < this.roundTrip.minMs / 2
  }

  /** Whether what came now is a reply to the exchange before; it is then accounted for. */
  isOwed(now: number): boolean {
    if (this.owed === 0 || !this.isTooSoon(now)) return false
    this.owed--
    return true
  }

  /** A reply that came now: its round trip. `asked` is what it can be a reply to. */
  measure(now: number, asked: ReadonlyArray<Asked>): MeasuredRoundTrip {
    // The reply itself leaves less to guess from.
    const guessMs = this.outstanding === 1 ? undefined : this.guess(now, asked)
    this.factMs = this.reply(now, asked) ?? this.factMs
    return this.factMs === undefined
      ? { rttMs: guessMs ?? now - this.sentAt, rttAmbiguous: true }
      : { rttMs: this.factMs }
  }

  /**
   * The challenge in use has come again: asked for by an opening before it was there, or repeated by the network, or by a server that
   * wants it twice. That is good for a guess at most.
   */
  receiveRepeated(now: number): void {
    this.hintMs = this.unanswered.opening?.reply(now) ?? this.hintMs
  }

  /** A reply that came after the answer. Gives the round trip if it is now known, and was not before. */
  measureLate(now: number, asked: ReadonlyArray<Asked>): MeasuredRoundTrip | undefined {
    const factMs = this.reply(now, asked)
    if (factMs === undefined || this.factMs !== undefined) return undefined
    this.factMs = factMs
    return { rttMs: factMs }
  }

  private reply(now: number, asked: ReadonlyArray<Asked>): number | undefined {
    let only: Unanswered | undefined
    let kinds = 0
    for (const one of asked) {
      const unanswered = this.unanswered[one]
      if (unanswered === undefined || unanswered.count === 0) continue
      kinds++
      only ??= unanswered
    }
    const factMs = only?.reply(now)
    if (factMs === undefined || kinds > 1 || this.owed > 0) return undefined
    this.roundTrip.sample(factMs)
    return factMs
  }

  /** The likeliest: nearest to what is known of the server, else of the latest transmission. */
  private guess(now: number, asked: ReadonlyArray<Asked>): number | undefined {
    const likelyMs = this.roundTrip.smoothedMs || this.hintMs
    const off = (rttMs: number): number => Math.abs(rttMs - likelyMs)
    return asked
      .flatMap((one) => this.unanswered[one]?.guesses(now) ?? [])
      .reduce<number | undefined>((a, b) => (a !== undefined && off(a) < off(b) ? a : b), undefined)
  }
}
