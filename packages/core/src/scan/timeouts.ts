/**
 * How long a scan waits for its targets. All targets share one estimate of the round-trip time, because most are queried only once.
 */
import type { Encoding } from "@sourcewire/protocol"
import { SCAN_MIN_RTO_MS, SCAN_PATIENCE_MS } from "../Limits.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { RoundTrip, sumOfWaits } from "../engine/Retry.ts"

/** The wait after the last retransmission, in units of the first wait: shorter than a wait before another one would be. */
const LAST_WAIT = 1.5

/** Settings of all exchanges of a scan. */
export class ScanTimeouts implements ExchangeSettings {
  readonly roundTrip = new RoundTrip({ minRtoMs: SCAN_MIN_RTO_MS, isShared: true })
  readonly retries: number
  readonly encoding: Encoding
  readonly random: () => number
  /** The time limit that the user allows, in ms. */
  readonly maxMs: number
  /** Whether the user has chosen that. */
  private readonly isChosen: boolean
  /** Sum of all waits in units of the first. */
  private readonly waits: number

  constructor(settings: ExchangeSettings, isChosen: boolean) {
    this.isChosen = isChosen
    this.retries = settings.retries
    this.encoding = settings.encoding
    this.random = settings.random
    this.maxMs = settings.timeoutMs
    this.waits = sumOfWaits(settings.retries) + LAST_WAIT
  }

  /**
   * How long a target may take. If the user has chosen a time, it has all of it. Otherwise it has as long as the servers of this scan
   * need for all retransmissions, at least {@link SCAN_PATIENCE_MS}, so that a scan does not wait for dead targets at its end.
   */
  get timeoutMs(): number {
    if (this.isChosen) return this.maxMs
    return Math.min(this.maxMs, Math.max(SCAN_PATIENCE_MS, Math.ceil(this.roundTrip.rtoMs * this.waits)))
  }
}
