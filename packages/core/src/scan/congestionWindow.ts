/**
 * How many targets may be in flight at once: as many as were asked for, unless the network or our own receive queue loses datagrams.
 *
 * Grows with each answer and, since dead targets answer nothing and are no sign of anything, with time. Shrinks by half when the
 * system dropped datagrams in our receive queue, which only a slower sender cures, and by a quarter when more answers than usual took
 * a retransmission. A line that loses a lot whatever the pace is recognised by shrinking not helping; its loss is then taken as usual.
 *
 * @module
 */

const FIRST_WINDOW = 64
const LEAST_WINDOW = 16
/** Share of answers that took a retransmission above which the window shrinks: 5 % of datagrams lost each way. */
const USUAL_LOSS = 0.1
/** Answers that a share is computed of. */
const ANSWERS_JUDGED = 64

/** The size of the window, which follows what is told to it. */
export class CongestionWindow {
  /** Targets that may be in flight. */
  size: number
  private readonly max: number
  private growing = true
  private answers = 0
  private resent = 0
  private usualLoss = USUAL_LOSS
  /** Share when the window was last shrunk because of it; 0 when it was not, or recovered since. */
  private lossBefore = 0

  constructor(max: number) {
    this.max = max
    this.size = Math.min(max, FIRST_WINDOW)
  }

  /** A target answered. `wasResent`: not to the first transmission of a question. */
  onAnswer(wasResent: boolean): void {
    this.answers++
    if (wasResent) this.resent++
    else if (this.growing && this.size < this.max) this.size++
  }

  /** The system has dropped datagrams that we were sent, since our receive queue was full. */
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
