/** A set of address ranges with a fast lookup. IPv4 ranges are found by binary search. IPv6 ranges are checked one by one. */
import { type IpRange, contains, size } from "../address/IpRanges.ts"

export class RangeSet {
  /** First and last address of each IPv4 range, in ascending order. Ranges that overlap or touch are merged into one. */
  private readonly firsts: Array<number> = []
  private readonly lasts: Array<number> = []
  private readonly ipv6: ReadonlyArray<IpRange>

  constructor(ranges: Iterable<IpRange>) {
    const all = [...ranges]
    this.ipv6 = all.filter(({ family }) => family === 6)
    const ipv4 = all.filter(({ family }) => family === 4).sort((a, b) => Number(a.first - b.first))
    for (const range of ipv4) {
      const first = Number(range.first)
      const last = first + Number(size(range)) - 1
      const before = this.lasts.length - 1
      if (before >= 0 && first <= this.lasts[before]! + 1) this.lasts[before] = Math.max(this.lasts[before]!, last)
      else {
        this.firsts.push(first)
        this.lasts.push(last)
      }
    }
  }

  /** Whether a range contains the address. Pass an IPv4 address as a 32-bit number, and an IPv6 address as a text. */
  has(address: number | string): boolean {
    if (typeof address === "string") return this.ipv6.some((range) => contains(range, address))
    let low = 0
    let high = this.firsts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.lasts[middle]! < address) low = middle + 1
      else high = middle
    }
    return low < this.firsts.length && this.firsts[low]! <= address
  }
}
