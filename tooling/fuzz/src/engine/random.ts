/** The random numbers of a campaign. The same seed gives the same numbers, and therefore the same inputs. */
import { seededRandom } from "@sourcewire/core/testing"

export class Random {
  readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** A random whole number from 0 to `limit` − 1. If `limit` is 0, the number is 0. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** A random element of the list, which must not be empty. */
  pick<A>(list: ArrayLike<A>): A {
    return list[this.below(list.length)]!
  }

  /** Returns true with a probability of 1 in `n`. */
  oneIn(n: number): boolean {
    return this.below(n) === 0
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}
