/**
 * The number of a challenge: any but the two that mean something else.
 *
 * @module
 */

/** Half a hash, as long as it is neither -1 (which asks for a challenge) nor 0 (which some clients take for none); else of the other half. */
export const challengeNumber = (low: number, high: number): number =>
  low !== -1 && low !== 0 ? low : (high & 0x7fffffff) | 1
