/**
 * Deadlines in order: a binary heap whose entries know their place, so that moving or removing one costs log n and leaves nothing
 * behind. Chosen over a wheel because it is exact, has no tick to keep running, and costs less than a send either way.
 *
 * @module
 */

/** Something with a deadline. The heap alone writes `heapIndex`. */
export interface Timed {
  /** When it is due. Change it only through {@link TimerHeap.schedule}. */
  dueAt: number
  /** Place in the heap, −1 outside. */
  heapIndex: number
}

/** See the module. */
export class TimerHeap<T extends Timed> {
  private readonly entries: Array<T> = []

  get size(): number {
    return this.entries.length
  }

  /** The entry that is due first. */
  get first(): T | undefined {
    return this.entries[0]
  }

  /** Puts an entry in, or moves it to another deadline. */
  schedule(entry: T, dueAt: number): void {
    if (entry.heapIndex === -1) {
      entry.dueAt = dueAt
      entry.heapIndex = this.entries.length
      this.entries.push(entry)
      this.rise(entry)
      return
    }
    const earlier = dueAt < entry.dueAt
    entry.dueAt = dueAt
    if (earlier) this.rise(entry)
    else this.sink(entry)
  }

  /** Takes an entry out; nothing happens when it is not in. */
  remove(entry: T): void {
    const index = entry.heapIndex
    if (index === -1) return
    entry.heapIndex = -1
    const last = this.entries.pop()!
    if (last === entry) return
    this.entries[index] = last
    last.heapIndex = index
    this.rise(last)
    this.sink(last)
  }

  private rise(entry: T): void {
    let index = entry.heapIndex
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = this.entries[parentIndex]!
      if (parent.dueAt <= entry.dueAt) break
      this.place(parent, index)
      index = parentIndex
    }
    this.place(entry, index)
  }

  private sink(entry: T): void {
    const { length } = this.entries
    let index = entry.heapIndex
    for (;;) {
      let childIndex = 2 * index + 1
      if (childIndex >= length) break
      const right = this.entries[childIndex + 1]
      if (right !== undefined && right.dueAt < this.entries[childIndex]!.dueAt) childIndex++
      const child = this.entries[childIndex]!
      if (child.dueAt >= entry.dueAt) break
      this.place(child, index)
      index = childIndex
    }
    this.place(entry, index)
  }

  private place(entry: T, index: number): void {
    this.entries[index] = entry
    entry.heapIndex = index
  }
}
