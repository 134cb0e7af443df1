/**
 * The time limits for the queries of a scan. All targets share one estimate of the round-trip time, because most targets are queried only
 * once and have no earlier measurements.
 */
import type { Encoding } from "@sourcewire/protocol"
import { SCAN_MIN_RTO_MS, SCAN_PATIENCE_MS } from "../Limits.ts"
import type { ExchangeSettings } from "../engine/Exchange.ts"
import { RoundTrip, sumBackoff } from "../engine/Retry.ts"

/**
 * The wait after the last retransmission, as a multiple of the first wait. Each wait before a retransmission is longer than the previous
 * one, but this last wait does not continue the series.
 */
const LAST_WAIT = 1.5

/** The settings of all exchanges of a scan. */
export class ScanTimeouts implements ExchangeSettings {
  readonly roundTrip = new RoundTrip({ minRtoMs: SCAN_MIN_RTO_MS, isShared: true })
  readonly retries: number
  readonly encoding: Encoding
  readonly random: () => number
  /** The value of the option `timeoutMs` or its default, in ms. */
  readonly maxMs: number
  /** Whether the user set the option `timeoutMs`. */
  private readonly isChosen: boolean
  /** The sum of all waits for the reply to a request, as a multiple of the first wait. */
  private readonly waits: number

  constructor(settings: ExchangeSettings, isChosen: boolean) {
    this.isChosen = isChosen
    this.retries = settings.retries
    this.encoding = settings.encoding
    this.random = settings.random
    this.maxMs = settings.timeoutMs
    this.waits = sumBackoff(settings.retries) + LAST_WAIT
  }

  /**
   * The time limit of a target, in ms. If the user set the option `timeoutMs`, the value of the option is the limit. Otherwise the limit is
   * the sum of all waits for the reply to a request, but at least {@link SCAN_PATIENCE_MS} and at most `maxMs`. The waits depend on the
   * round-trip times that this scan has measured. If servers reply fast, dead targets soon time out and hardly delay the end of the scan.
   */
  get timeoutMs(): number {
    if (this.isChosen) return this.maxMs
    return Math.min(this.maxMs, Math.max(SCAN_PATIENCE_MS, Math.ceil(this.roundTrip.rtoMs * this.waits)))
  }
}
