/**
 * When to ask again and when to stop, for machines that ask one question and know no split replies: the handshake, a page of a
 * master server. Waits follow the server's round trip and grow; see `Limits` for the numbers.
 *
 * @module
 */
import type { ExchangeSettings } from "./Exchange.ts"
import { RoundTrip } from "./RoundTrip.ts"
import type { MeasuredRoundTrip } from "./RoundTrip.ts"
import { Transmissions } from "./transmissions.ts"
import type { Asked } from "./transmissions.ts"

/** What to do now that a wait has passed: `again` is to send once more, `over` to end. */
export type Verdict = "again" | "wait" | "over"

/** See the module. */
export class Patience {
  /** Datagrams sent. */
  sent = 0
  /** Until when to wait. */
  deadline = Number.POSITIVE_INFINITY
  private readonly settings: ExchangeSettings
  private readonly roundTrip: RoundTrip
  private readonly transmissions: Transmissions
  private endsAt = 0
  private silences = 0

  constructor(settings: ExchangeSettings, roundTrip: RoundTrip | undefined) {
    this.settings = settings
    this.roundTrip = roundTrip ?? new RoundTrip()
    this.transmissions = new Transmissions(this.roundTrip)
  }

  /** Transmissions without a reply. */
  get outstanding(): number {
    return this.transmissions.outstanding
  }

  /** The question begins. */
  begin(now: number): void {
    this.endsAt = now + this.settings.timeoutMs
  }

  /** A datagram goes out now; `asked` tells apart what is answered otherwise. */
  transmit(now: number, asked: Asked): void {
    this.sent++
    this.transmissions.add(now, asked)
    this.deadline = Math.min(this.endsAt, now + this.transmissions.waitMs(this.settings, this.silences))
  }

  /** `deadline` has passed in silence. */
  expire(now: number): Verdict {
    if (this.isOver(now)) return "over"
    if (this.silences >= this.settings.retries) {
      this.deadline = this.endsAt
      return "wait"
    }
    this.silences++
    return "again"
  }

  /** Something of the answer came: waits for more until it has been quiet for as long as the round trip gives reason to. */
  listen(now: number): void {
    this.deadline = Math.min(this.endsAt, now + this.roundTrip.restMs)
  }

  /** Whether the time of the question is up. */
  isOver(now: number): boolean {
    return now >= this.endsAt
  }

  /** A reply that came now: its round trip. `asked` is what it can be a reply to. */
  measure(now: number, ...asked: ReadonlyArray<Asked>): MeasuredRoundTrip {
    return this.transmissions.measure(now, asked)
  }

  /** Whether a transmission of that kind has no reply yet. */
  awaits(asked: Asked): boolean {
    return this.transmissions.awaits(asked)
  }

  /** What can be said of the round trip while it is open whether what came now is the reply. */
  guess(now: number): MeasuredRoundTrip {
    return { rttMs: now - this.transmissions.sentAt, rttAmbiguous: true }
  }

  /** Whether what came now came too soon to answer the last transmission: the network has repeated an earlier reply. */
  isTooSoon(now: number): boolean {
    return this.transmissions.isTooSoon(now)
  }
}
