/**
 * How many targets of a scan may be in flight: as many as the option allows, or fewer if the network or our receive queue loses datagrams.
 *
 * The window grows with each answer, and with time, because dead targets do not answer. It shrinks by half if the system dropped
 * datagrams because our receive queue was full, and by a quarter if more answers than usual needed a retransmission. If shrinking does not
 * help, the line loses datagrams at any rate. That loss is treated as usual from then on.
 *
 * @module
 */

const FIRST_WINDOW = 64
const LEAST_WINDOW = 16
/** Share of answers that took a retransmission above which the window shrinks: 5 % of datagrams lost each way. */
const USUAL_LOSS = 0.1
/** Answers for one share. */
const ANSWERS_JUDGED = 64

/** The window. Its methods report what happens. */
export class CongestionWindow {
  /** Targets that may be in flight. */
  size: number
  private readonly max: number
  private growing = true
  private answers = 0
  private resent = 0
  private usualLoss = USUAL_LOSS
  /** Share of loss for which the window last shrank; 0 if it did not, or if the share was usual since. */
  private lossBefore = 0

  constructor(max: number) {
    this.max = max
    this.size = Math.min(max, FIRST_WINDOW)
  }

  /** A target answered. `wasResent`: not to the first transmission. */
  onAnswer(wasResent: boolean): void {
    this.answers++
    if (wasResent) this.resent++
    else if (this.growing && this.size < this.max) this.size++
  }

  /** The system has dropped replies, because our receive queue was full. */
  onDropped(): void {
    this.shrink(0.5)
    this.answers = this.resent = 0
  }

  /** Some time has passed: about the longest round trip. */
  onTick(): void {
    if (this.answers >= ANSWERS_JUDGED) {
      const loss = this.resent / this.answers
      this.answers = this.resent = 0
      if (loss > this.usualLoss) {
        if (this.lossBefore > 0 && loss > 0.8 * this.lossBefore) this.usualLoss = 1.5 * loss
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
