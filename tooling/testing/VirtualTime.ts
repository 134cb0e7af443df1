/**
 * A clock that the test advances. Scheduled functions run in the order of their times, so hours of retransmissions take only the time to
 * compute them.
 */
interface Timer {
  readonly at: number
  run: (() => void) | undefined
}

/** A cancelled timer stays as an empty one. */
export class VirtualTime {
  #now = 0
  /** The last to come first; of two of the same moment, the one that was scheduled first comes first. */
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

  /** Moves it, or as long as anything is scheduled. */
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
