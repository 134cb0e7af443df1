/**
 * Computes the numbers that identify changes. The number of the first change in a millisecond is the time in milliseconds since 1970,
 * multiplied by 1000. The number of each further change in the same millisecond is 1 larger than the number of the previous change.
 * Therefore later changes have larger numbers, even if several machines write changes.
 * JavaScript represents integers exactly only up to 2 ** 53, and the numbers of changes reach this limit in the year 2255. If a clock
 * is far ahead, the numbers could reach this limit earlier. Therefore no number is computed from a time after the year 2199.
 *
 * @module
 */

/**
 * The start of the year 2200. After this time, the number of a change no longer depends on the time: it is 1 larger than the number of the
 * previous change.
 */
const LATEST_MS = 7_258_118_400_000

/**
 * The largest valid number of a change. Changes with larger numbers are ignored. Earlier versions, which had no limit, may have written
 * such changes.
 */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The smallest number for a change at the time `atMs`. */
export const firstIdAt = (atMs: number): number => Math.min(atMs, LATEST_MS) * 1000

/** The number for a change at the time `atMs`. `last` is the number of the previous change. */
export const nextId = (last: number, atMs: number): number => Math.max(last + 1, firstIdAt(atMs))
