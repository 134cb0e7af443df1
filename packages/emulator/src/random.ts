/**
 * Seeded pseudo-random numbers for generated profiles and faults: the same seed produces the same numbers. Do not use these numbers for
 * values that an attacker must not guess (see `Challenge`).
 */
import { seededRandom } from "@sourcewire/core/testing"

/** A generator of numbers with the few functions that profiles and faults need. */
export type Random = ReturnType<typeof seeded>

export const seeded = (seed: number) => {
  /** A number in `[0, 1)`. */
  const next = seededRandom(seed)
  /** An integer in `[min, max]`, both included. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    /** A random element. The list must not be empty. */
    pick: <A>(list: ReadonlyArray<A>): A => list[int(0, list.length - 1)]!,
    /** True with the given probability, in `[0, 1]`. */
    chance: (probability: number): boolean => next() < probability
  }
}
