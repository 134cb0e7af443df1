/**
 * The progress of a scan in numbers. If you pass a `ScanProgress` to a scan, the scan updates the numbers.
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

/**
 * Number of classes in the histogram of round-trip times. The upper limit of each class is 10 % higher than the upper limit of the previous
 * class. Together, the classes cover 10 µs to more than a minute.
 */
const CLASSES = 168
const FIRST_CLASS_MS = 0.01
const CLASS_FACTOR = 1.1
const CLASSES_PER_E = 1 / Math.log(CLASS_FACTOR)

/** The values that a scan updates periodically. */
export interface ScanFigures {
  readonly inFlight: number
  readonly parked: number
  readonly window: number
  readonly sent: number
  readonly received: number
  readonly unsolicited: number
  readonly refused: number
  readonly dropped: number
}

/**
 * The counts of one scan. The scan itself calls all methods except `rttMs`, which is for your program. If the description of a count
 * contains "now", the count shows the current state. All other counts cover the time since the start of the scan.
 */
export class ScanProgress implements ScanFigures {
  /** Targets read from the source. */
  read = 0
  /** Targets that got no result because an earlier target has the same address and port. */
  duplicates = 0
  /** Targets that replied. */
  answered = 0
  /** Targets that failed. */
  failed = 0
  /** Targets in flight now. */
  inFlight = 0
  /** Targets that wait now because their host or network has as many targets in flight as the limits allow. */
  parked = 0
  /** Maximum number of targets that may be in flight now: the option `concurrency`, or less if datagrams get lost. */
  window = 0
  /** Datagrams that were sent, except datagrams for which the system reported an error. */
  sent = 0
  received = 0
  /** Datagrams that belong to no target in flight: late, duplicated, or from an address that was not queried. */
  unsolicited = 0
  /**
   * Number of datagrams that this host could not send, for example during an outage of its network. The scan tries to send these datagrams
   * again. Some runtimes report an error only if a retransmission cannot be sent. On these runtimes, `sent` includes the first datagram to
   * each target, even if this host could not send the datagram.
   */
  refused = 0
  /** Targets that replied only after a retransmission. */
  resent = 0
  /** Datagrams that the system dropped because the receive queue of a socket was full. Only some systems report these datagrams. */
  dropped = 0
  private readonly classes = new Uint32Array(CLASSES)
  /** Number of replies in the histogram. The histogram contains only exact round-trip times. */
  private measured = 0

  /** Targets with a result. */
  get done(): number {
    return this.answered + this.failed
  }

  /** Called when a target was read. */
  onRead(): void {
    this.read++
  }

  /** Called when the target that was read is a duplicate. */
  onDuplicate(): void {
    this.duplicates++
  }

  /**
   * Called when a target replied. `rttMs` is absent if the round-trip time is ambiguous. `wasResent` is true if the request was
   * retransmitted.
   */
  onReply(rttMs: number | undefined, wasResent: boolean): void {
    this.answered++
    if (wasResent) this.resent++
    if (rttMs === undefined) return
    const index = rttMs <= FIRST_CLASS_MS ? 0 : Math.ceil(Math.log(rttMs / FIRST_CLASS_MS) * CLASSES_PER_E)
    this.classes[Math.min(CLASSES - 1, index)]!++
    this.measured++
  }

  /** Called when a target failed. */
  onFailure(): void {
    this.failed++
  }

  /** Sets the counts of {@link ScanFigures}. Called periodically. */
  update(figures: ScanFigures): void {
    this.inFlight = figures.inFlight
    this.parked = figures.parked
    this.window = figures.window
    this.sent = figures.sent
    this.received = figures.received
    this.unsolicited = figures.unsolicited
    this.refused = figures.refused
    this.dropped = figures.dropped
  }

  /**
   * Returns a percentile of the round-trip times, in ms. For example, if `share` is 0.9, then 90 % of the round-trip times are not longer
   * than the returned time. The value may be up to 10 % too high.
   * Ambiguous round-trip times are not included. Returns `undefined` before the first reply with an exact round-trip time.
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
