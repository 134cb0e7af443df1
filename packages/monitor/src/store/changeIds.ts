/**
 * Numbers of changes: the milliseconds since 1970 times 1000, plus a count, so that numbers of several machines are in order of time.
 * Numbers are exact up to 2 ** 53 only, which is reached in 2255: a wrong clock must not use them up.
 *
 * @module
 */

/** The last millisecond that a number is derived from: the year 2200. Later changes only count on. */
const LATEST_MS = 7_258_118_400_000

/** The largest number of a change. Programs without this limit wrote larger ones, which are ignored. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

/** The smallest number for a change at this time. */
export const firstIdAt = (atMs: number): number => Math.min(atMs, LATEST_MS) * 1000

/** The number that follows another one, for a change at this time. */
export const nextId = (last: number, atMs: number): number => Math.max(last + 1, firstIdAt(atMs))
