/**
 * Seeded pseudo-random numbers for generated profiles and for faults: the same seed gives the same run. Not for
 * anything that an attacker must not guess (see `Challenge`).
 *
 * @module
 */

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

/** The generator "mulberry32" (32 bits of state, period 2^32): small, and even enough for test data. */
export const seeded = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    chance: (probability) => next() < probability
  }
}
