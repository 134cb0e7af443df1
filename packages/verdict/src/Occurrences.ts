/**
 * Counts how many entries have a given hash. An entry consists of a hash and a number, and needs eight bytes. Add all entries before you
 * call `count` for the first time, because this call sorts the entries.
 */

/** Each number is below this limit. Therefore a number and a hash of 32 bits together fit into the 53 bits of a double. */
const NUMBERS = 2 ** 21

/** Average number of entries between two consecutive positions of the index. */
const ENTRIES_PER_MARK = 8

export class Occurrences {
  private readonly entries: Float64Array
  private used = 0
  /** The index: for each value of the first bits of a hash, the position of the first entry with these bits. */
  private marks: Uint32Array | undefined
  private readonly shift: number

  /** `capacity` is the maximum number of entries. */
  constructor(capacity: number) {
    this.entries = new Float64Array(capacity)
    this.shift = 32 - Math.min(24, Math.ceil(Math.log2(capacity / ENTRIES_PER_MARK + 2)))
  }

  add(hash: number, number = 0): void {
    this.entries[this.used++] = packEntry(hash, number)
  }

  /** Returns the number of entries that have this hash, and whose number is between `least` and `most` (inclusive). */
  count(hash: number, least = 0, most = NUMBERS - 1): number {
    const marks = (this.marks ??= this.sort())
    const mark = hash >>> this.shift
    const [from, to] = [marks[mark]!, marks[mark + 1]!]
    return this.find(packEntry(hash, most) + 1, from, to) - this.find(packEntry(hash, least), from, to)
  }

  private sort(): Uint32Array {
    const { entries, shift, used } = this
    entries.subarray(0, used).sort()
    const marks = new Uint32Array(2 ** (32 - shift) + 1)
    for (let at = 0, mark = 0; mark < marks.length; mark++) {
      const first = mark * 2 ** shift * NUMBERS
      while (at < used && entries[at]! < first) at++
      marks[mark] = at
    }
    return marks
  }

  /** Returns the position of the first entry that is greater than or equal to `entry`. */
  private find(entry: number, from: number, to: number): number {
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.entries[middle]! < entry) from = middle + 1
      else to = middle
    }
    return from
  }
}

const packEntry = (hash: number, number: number): number =>
  (hash >>> 0) * NUMBERS + Math.max(0, Math.min(NUMBERS - 1, Math.floor(number)))
