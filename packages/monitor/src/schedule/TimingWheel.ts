/**
 * What is due when: entries in slots of a wheel, so that a hundred thousand of them cost one look a tick. An entry may be put anew at
 * any time; only where it was put last counts.
 *
 * @module
 */

/** What a wheel holds. The field is the wheel's own. */
export interface Timed {
  /** The tick at which it is due; −1 while it is not in a wheel. */
  tick: number
}

const SLOTS = 4096

/** A wheel of ticks. */
export class TimingWheel<A extends Timed> {
  private readonly slots: Array<Array<A>> = Array.from({ length: SLOTS }, () => [])
  private readonly tickMs: number
  /** Ticks before this one have been taken. */
  private next: number
  /** Entries in the slots, those included that have been put elsewhere since. */
  private held = 0

  constructor(tickMs: number, nowMs: number) {
    this.tickMs = tickMs
    this.next = Math.floor(nowMs / tickMs)
  }

  /** Puts an entry, or puts it elsewhere. It is due at the first tick that does not come before the time. */
  put(entry: A, atMs: number): void {
    const tick = Math.max(this.next, Math.ceil(atMs / this.tickMs))
    if (entry.tick === tick) return
    entry.tick = tick
    this.slots[tick % SLOTS]!.push(entry)
    this.held++
  }

  /** Calls `take` with every entry that is due and the time since which it is, in order of time. */
  advance(nowMs: number, take: (entry: A, sinceMs: number) => void): void {
    const last = Math.floor(nowMs / this.tickMs)
    // After a long pause all slots are looked at once, and not once for each round that was missed.
    const from = Math.max(this.next, last - SLOTS + 1)
    this.next = last + 1
    for (let tick = from; tick <= last; tick++) this.takeSlot(tick % SLOTS, last, take)
  }

  private takeSlot(slot: number, last: number, take: (entry: A, sinceMs: number) => void): void {
    const entries = this.slots[slot]!
    if (entries.length === 0) return
    this.slots[slot] = []
    this.held -= entries.length
    for (const entry of entries) {
      if (entry.tick < 0 || entry.tick % SLOTS !== slot) continue
      if (entry.tick > last) {
        this.slots[slot].push(entry)
        this.held++
      } else {
        const sinceMs = entry.tick * this.tickMs
        entry.tick = -1
        take(entry, sinceMs)
      }
    }
  }

  /** When to look again, in ms; `undefined` where there is nothing. */
  nextMs(): number | undefined {
    if (this.held === 0) return undefined
    for (let tick = this.next; tick < this.next + SLOTS; tick++) {
      if (this.slots[tick % SLOTS]!.length > 0) return tick * this.tickMs
    }
    return undefined
  }
}
