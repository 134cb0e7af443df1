/**
 * How long a scan waits for its targets. All share one estimate of the round trip, since most are asked once and never again; what a
 * target's own challenge took is the exchange's matter.
 */
import type { Encoding } from "@sourcewire/protocol"
import { SCAN_MIN_RTO_MS, SCAN_PATIENCE_MS } from "../Limits.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { RoundTrip, sumOfWaits } from "../engine/retransmission.ts"

/** What the last retransmission is given, in units of the first wait: it need not be as long as one before another. */
const LAST_WAIT = 1.5

/** Samples after which the estimate moves slowly: there are thousands a second, of as many servers. */
const FIRST_SAMPLES = 16

/** Settings of all exchanges of a scan. */
export class ScanTimeouts implements ExchangeSettings {
  readonly roundTrip = new RoundTrip(SCAN_MIN_RTO_MS, FIRST_SAMPLES)
  readonly retries: number
  readonly encoding: Encoding
  readonly random: () => number
  /** What the user allows, in ms. */
  readonly maxMs: number
  /** Sum of all waits in units of the first. */
  private readonly waits: number

  constructor(settings: ExchangeSettings) {
    this.retries = settings.retries
    this.encoding = settings.encoding
    this.random = settings.random
    this.maxMs = settings.timeoutMs
    this.waits = sumOfWaits(settings.retries) + LAST_WAIT
  }

  /**
   * How long a target may take: until the last retransmission has had its time too, at least {@link SCAN_PATIENCE_MS}, at most what
   * the user allows. Dead targets cost this long, so it follows what living ones need.
   */
  get timeoutMs(): number {
    return Math.min(this.maxMs, Math.max(SCAN_PATIENCE_MS, Math.ceil(this.roundTrip.rtoMs * this.waits)))
  }
}
