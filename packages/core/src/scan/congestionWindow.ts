/**
 * Limits how many targets of a scan are in flight. The limit is at most the option `concurrency`. If the network or our receive queue drops
 * datagrams, the limit is lower.
 *
 * The current limit is called the window. The window changes as follows:
 *
 * - The window grows at a fixed interval, even without replies, because dead targets do not reply. Until the window first shrinks, each
 *   reply to a request that was not retransmitted makes the window grow, too.
 * - The window shrinks by half if the system dropped datagrams because our receive queue was full.
 * - The window shrinks by a quarter if the loss exceeds a threshold. The loss is the share of replies that needed a retransmission.
 *
 * If the window has shrunk and the loss has hardly decreased, the number of targets in flight is not the cause of the loss. In this case,
 * the threshold rises to 1.5 times the current loss.
 *
 * @module
 */

const FIRST_WINDOW = 64
const LEAST_WINDOW = 16
/**
 * The initial threshold: the window shrinks if more than this share of the replies needed a retransmission. This share corresponds to 5 %
 * packet loss in each direction.
 */
const TYPICAL_LOSS = 0.1
/** The loss is evaluated when at least this many replies have arrived since the last evaluation. */
const REPLIES_PER_EVALUATION = 64

/** The window, with a method for each event that can change it. */
export class CongestionWindow {
  /** Maximum number of targets in flight. */
  size: number
  private readonly max: number
  private growing = true
  private answers = 0
  private resent = 0
  private typicalLoss = TYPICAL_LOSS
  /**
   * The loss at the time when the window last shrank because of loss. The value is 0 until the window first shrinks because of loss. When
   * the loss does not exceed `typicalLoss`, the value becomes 0 again.
   */
  private lossBefore = 0

  constructor(max: number) {
    this.max = max
    this.size = Math.min(max, FIRST_WINDOW)
  }

  /** Called when a target replied. `wasResent` is true if the request was retransmitted. */
  onReply(wasResent: boolean): void {
    this.answers++
    if (wasResent) this.resent++
    else if (this.growing && this.size < this.max) this.size++
  }

  /** Called when the system has dropped replies because our receive queue was full. */
  onDropped(): void {
    this.shrink(0.5)
    this.answers = this.resent = 0
  }

  /** Called at a fixed interval. Adapts the window to the loss. */
  onTick(): void {
    if (this.answers >= REPLIES_PER_EVALUATION) {
      const loss = this.resent / this.answers
      this.answers = this.resent = 0
      if (loss > this.typicalLoss) {
        if (this.lossBefore > 0 && loss > 0.8 * this.lossBefore) this.typicalLoss = 1.5 * loss
        else {
          this.lossBefore = loss
          this.shrink(0.75)
          return
        }
      } else this.lossBefore = 0
    }
    this.size = Math.min(this.max, Math.ceil(this.size * (this.growing ? 1.5 : 1.05)))
  }

  private shrink(factor: number): void {
    this.growing = false
    this.size = Math.min(this.max, Math.max(LEAST_WINDOW, Math.floor(this.size * factor)))
  }
}
