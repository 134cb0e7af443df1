/** The random numbers of a campaign. The same seed leads to the same inputs. */
import { seededRandom } from "@sourcewire/core/testing"

export class Random {
  readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** A whole number from 0 to `limit` − 1; 0 for a limit of 0. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** A random element of the list, which must not be empty. */
  pick<A>(list: ArrayLike<A>): A {
    return list[this.below(list.length)]!
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}
