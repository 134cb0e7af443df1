/**
 * How a scan is doing, in numbers that it keeps up to date: hand one in and look at it whenever you like.
 *
 * @example
 * import { ScanProgress } from "@sourcewire/core"
 * import { scan } from "@sourcewire/transport-node"
 * const progress = new ScanProgress()
 * for await (const result of scan(["127.0.0.1:27015"], "info", { progress })) console.log(result._tag)
 * console.log(progress.done, progress.rttMs(0.5))
 *
 * @module
 */

/** Classes of the histogram: each a tenth longer than the one before, from 10 µs to a minute and more. */
const CLASSES = 168
const FIRST_CLASS_MS = 0.01
const CLASS_FACTOR = 1.1
const CLASSES_PER_E = 1 / Math.log(CLASS_FACTOR)

/** Counts of one scan. All count from the beginning unless they say otherwise. */
export class ScanProgress {
  /** Targets read from the source. */
  read = 0
  /** Targets that were the same as an earlier one, and therefore have no result. */
  duplicates = 0
  /** Results: answered and failed. */
  answered = 0
  failed = 0
  /** Targets in flight now. */
  inFlight = 0
  /** Targets that wait now because their host or network has its share in flight. */
  parked = 0
  /** How many targets may be in flight now; what was asked for, unless datagrams get lost. */
  window = 0
  /** Datagrams. */
  sent = 0
  received = 0
  /** Datagrams that nobody waited for: late, repeated, or from strangers. */
  unsolicited = 0
  /** Times that this machine did not send a datagram, as in an outage of its network, and has tried or will try again. */
  refused = 0
  /** Targets that answered only after a retransmission. */
  resent = 0
  /** Datagrams that the system dropped because our receive queue was full; only where it tells. */
  dropped = 0
  private readonly classes = new Uint32Array(CLASSES)
  /** Round trips in them: those that are known, of the answers. */
  private measured = 0

  /** Targets with a result. */
  get done(): number {
    return this.answered + this.failed
  }

  /** @internal */
  onRoundTrip(rttMs: number): void {
    const index = rttMs <= FIRST_CLASS_MS ? 0 : Math.ceil(Math.log(rttMs / FIRST_CLASS_MS) * CLASSES_PER_E)
    this.classes[Math.min(CLASSES - 1, index)]!++
    this.measured++
  }

  /**
   * Round trip, in ms, that this share (0–1) of the answers did not exceed, up to a tenth too high; `undefined` before the first. Round
   * trips that are guesses (`rttAmbiguous`) are left out.
   */
  rttMs(share: number): number | undefined {
    let left = Math.max(1, Math.ceil(share * this.measured))
    for (let i = 0; i < CLASSES; i++) {
      left -= this.classes[i]!
      if (left <= 0) return FIRST_CLASS_MS * CLASS_FACTOR ** i
    }
    return undefined
  }
}
