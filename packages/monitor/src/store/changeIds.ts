/**
 * Numbers of changes. They grow with time and are the milliseconds since 1970 times 1000 and a count, so that they can be compared between
 * machines. A wrong clock must not use them up: numbers are whole up to 2 ** 53 only, which is a date of 2255.
 *
 * @module
 */

/** The last millisecond that counts for a number: the year 2200. Later changes count on from there. */
const LATEST_MS = 7_258_118_400_000

/** The largest number that a change can have. Rows with a larger one were written by a program without this limit, and are ignored. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The smallest number that a change of a time can have. */
export const firstIdAt = (atMs: number): number => Math.min(atMs, LATEST_MS) * 1000

/** The number after another one, for a change of a time. */
export const nextId = (last: number, atMs: number): number => Math.max(last + 1, firstIdAt(atMs))
