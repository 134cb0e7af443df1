/**
 * Seeded pseudo-random numbers for generated profiles and faults: the same seed produces the same numbers. Do not use these numbers for
 * values that an attacker must not guess (see `Challenge`).
 */
import { seededRandom } from "@sourcewire/core/testing"

/** A generator of pseudo-random numbers, which always produces the same numbers for the same seed. */
export type Random = ReturnType<typeof seeded>

export const seeded = (seed: number) => {
  /** A number from 0 to 1, excluding 1. */
  const next = seededRandom(seed)
  /** An integer from `min` to `max`, including `min` and `max`. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    /** A random entry of the list, which must not be empty. */
    pick: <A>(list: ReadonlyArray<A>): A => list[int(0, list.length - 1)]!,
    /** `true` with this probability, which is a number from 0 to 1. */
    chance: (probability: number): boolean => next() < probability
  }
}
