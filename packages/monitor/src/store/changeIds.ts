/**
 * Numbers of changes: the milliseconds since 1970 times 1000, plus a count. Therefore the numbers from several machines are in order of
 * time. Numbers are exact only up to 2 ** 53, which is reached in the year 2255. A wrong clock must not use up these numbers.
 *
 * @module
 */

/**
 * The last millisecond from which a number is derived: the start of the year 2200. After this time, each number is only 1 larger than the
 * last number.
 */
const LATEST_MS = 7_258_118_400_000

/** The largest number of a change. Earlier programs without this limit may have written larger numbers, which are ignored. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The smallest number for a change at this time. */
export const firstIdAt = (atMs: number): number => Math.min(atMs, LATEST_MS) * 1000

/** The number for a change at this time, after the number `last`. */
export const nextId = (last: number, atMs: number): number => Math.max(last + 1, firstIdAt(atMs))
