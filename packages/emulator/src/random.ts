/**
 * Seeded pseudo-random numbers for generated profiles and for faults: the same seed gives the same run. Not for
 * anything that an attacker must not guess (see `Challenge`).
 */
import { seededRandom } from "@sourcewire/core/testing"

/** A generator of numbers with the few draws that profiles and faults need. */
export interface Random {
  /** A number in `[0, 1)`. */
  readonly next: () => number
  /** An integer in `[min, max]`, both included. */
  readonly int: (min: number, max: number) => number
  /** One element; the list must not be empty. */
  readonly pick: <A>(list: ReadonlyArray<A>) => A
  /** True with the probability given, in `[0, 1]`. */
  readonly chance: (probability: number) => boolean
}

export const seeded = (seed: number): Random => {
  const next = seededRandom(seed)
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    chance: (probability) => next() < probability
  }
}
