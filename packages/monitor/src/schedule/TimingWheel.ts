/**
 * A timing wheel stores entries until they are due. Time is divided into ticks of equal length, and all entries that are due at the same
 * tick are in one slot. The slots form a ring: after the last slot, the next tick uses the first slot again. To process a tick, the wheel
 * examines only the entries of one slot, even if the wheel contains 100,000 entries. An entry can be moved to an earlier or later tick at
 * any time.
 *
 * @module
 */

/**
 * An entry of the wheel. To remove the entry from the wheel, set `tick` to −1. Never set `tick` to another value, because the wheel does
 * this.
 */
export interface Timed {
  /** The tick at which the entry is due; −1 while the entry is not in a wheel. */
  tick: number
}

const SLOTS = 4096

export class TimingWheel<A extends Timed> {
  private readonly slots: Array<Array<A>> = Array.from({ length: SLOTS }, () => [])
  private readonly tickMs: number
  /** The first tick that has not been processed yet. */
  private next: number
  /**
   * The number of entries in all slots. If an entry is moved or removed, the entry stays in its old slot, and is counted there, until this
   * slot is processed.
   */
  private held = 0

  constructor(tickMs: number, nowMs: number) {
    this.tickMs = tickMs
    this.next = Math.floor(nowMs / tickMs)
  }

  /** Inserts a new entry, or moves an existing entry. The entry is due at the first tick at or after the given time. */
  put(entry: A, atMs: number): void {
    const tick = Math.max(this.next, Math.ceil(atMs / this.tickMs))
    if (entry.tick === tick) return
    entry.tick = tick
    this.slots[tick % SLOTS]!.push(entry)
    this.held++
  }

  /**
   * For each entry that is due at `nowMs`, calls `take` with the entry and the time at which the entry became due. If at most one
   * revolution of the wheel has passed since the last call of `advance`, entries that became due earlier are passed first. Otherwise, the
   * entries can have any order.
   */
  advance(nowMs: number, take: (entry: A, sinceMs: number) => void): void {
    const last = Math.floor(nowMs / this.tickMs)
    // Each slot is examined only once, even if several revolutions of the wheel have passed since the last call.
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

  /** The time of the next tick whose slot is not empty, in milliseconds; `undefined` if the wheel is empty. */
  nextMs(): number | undefined {
    if (this.held === 0) return undefined
    for (let tick = this.next; tick < this.next + SLOTS; tick++) {
      if (this.slots[tick % SLOTS]!.length > 0) return tick * this.tickMs
    }
    return undefined
  }
}
