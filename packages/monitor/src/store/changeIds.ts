/**
 * Computes the numbers of changes. A number is the time in milliseconds since 1970 times 1000, plus a count. Therefore the numbers from
 * several machines are in order of time. JavaScript numbers are exact only up to 2 ** 53, which these numbers reach in the year 2255. A
 * wrong clock could use up all numbers. Therefore times after the year 2199 are not used.
 *
 * @module
 */

/** The start of the year 2200. Times after this limit are not used for numbers. Instead, each number is 1 larger than the last number. */
const LATEST_MS = 7_258_118_400_000

/**
 * The largest number of a change. Earlier programs had no such limit. Changes with larger numbers, which an earlier program may have
 * written, are ignored.
 */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The smallest number for a change at this time. */
export const firstIdAt = (atMs: number): number => Math.min(atMs, LATEST_MS) * 1000

/** The number for a change at this time. `last` is the number of the previous change. */
export const nextId = (last: number, atMs: number): number => Math.max(last + 1, firstIdAt(atMs))
