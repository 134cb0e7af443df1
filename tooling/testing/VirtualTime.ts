/**
 * A clock that a test advances. Scheduled functions run in the order of their times, without waiting. Therefore a test can simulate
 * hours of retransmissions in a short time.
 */
interface Timer {
  readonly at: number
  run: (() => void) | undefined
}

/** A clock and its timers. If a timer is cancelled, the timer stays in the list, but its function is removed. */
export class VirtualTime {
  #now = 0
  /**
   * The timers in the reverse order of their runs: the next timer is at the end of the list. Timers with the same time run in the order in
   * which they were scheduled.
   */
  readonly #timers: Array<Timer> = []

  readonly now = (): number => this.#now

  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer: Timer = { at: this.#now + delayMs, run }
    let [from, to] = [0, this.#timers.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#timers[middle]!.at > timer.at) from = middle + 1
      else to = middle
    }
    this.#timers.splice(from, 0, timer)
    return () => void (timer.run = undefined)
  }

  /** Runs all timers until a time (default: until no timer is left), and advances the clock to this time. */
  goTo(at = Number.POSITIVE_INFINITY): void {
    for (let next = this.#timers.at(-1); next !== undefined && next.at <= at; next = this.#timers.at(-1)) {
      this.#timers.pop()
      if (next.run === undefined) continue
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    if (Number.isFinite(at)) this.#now = Math.max(this.#now, at)
  }
}
