/**
 * A clock that stands still until it is moved: runs what was scheduled in the order of its time, so that hours of retransmissions
 * pass in the time it takes to compute them.
 */
interface Timer {
  readonly at: number
  /** Of two timers of the same moment, the one scheduled first runs first. */
  readonly order: number
  run: (() => void) | undefined
}

const isBefore = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A binary heap; a cancelled timer stays in it as an empty one. */
export class VirtualTime {
  #now = 0
  #count = 0
  readonly #heap: Array<Timer> = []

  readonly now = (): number => this.#now

  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer: Timer = { at: this.#now + delayMs, order: this.#count++, run }
    this.#push(timer)
    return () => void (timer.run = undefined)
  }

  /** Moves it, or as long as anything is scheduled. */
  goTo(at = Number.POSITIVE_INFINITY): void {
    while (this.#heap.length > 0 && this.#heap[0]!.at <= at) {
      const timer = this.#pop()!
      if (timer.run === undefined) continue
      this.#now = Math.max(this.#now, timer.at)
      timer.run()
    }
    if (Number.isFinite(at)) this.#now = Math.max(this.#now, at)
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let at = heap.push(timer) - 1
    for (let up = (at - 1) >> 1; at > 0 && isBefore(timer, heap[up]!); at = up, up = (at - 1) >> 1) heap[at] = heap[up]!
    heap[at] = timer
  }

  #pop(): Timer | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down + 1 < heap.length && isBefore(heap[down + 1]!, heap[down]!)) down++
      if (down >= heap.length || !isBefore(heap[down]!, last)) break
      heap[at] = heap[down]!
      at = down
    }
    heap[at] = last
    return first
  }
}
