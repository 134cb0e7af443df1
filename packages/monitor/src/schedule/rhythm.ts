/**
 * Computes the times at which a target is queried. Each target has a fixed position within its interval. A hash of its address determines
 * this position. Therefore the load is even, and a restart does not change the times.
 *
 * @module
 */

/** Hashes a text with FNV-1a. An additional step mixes the result, so that addresses with adjacent ports have very different hashes. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The position of a target within its interval, as a share of the interval (from 0 to 1). */
export const choosePhase = (address: string): number => hashText(address) / 2 ** 32

/** The time of the first check after `afterMs`. The time between two checks of a target is a multiple of the interval. */
export const nextQueryTime = (phase: number, intervalMs: number, afterMs: number): number => {
  const offset = phase * intervalMs
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset
}

/** The time of the check that follows the last query. `undefined` if this check was missed, or if the target has not been queried yet. */
export const upcomingQueryTime = (
  phase: number,
  intervalMs: number,
  queriedAtMs: number | undefined,
  nowMs: number
): number | undefined => {
  if (queriedAtMs === undefined || queriedAtMs > nowMs) return undefined
  const turn = nextQueryTime(phase, intervalMs, queriedAtMs)
  return turn < nowMs ? undefined : turn
}

/**
 * Rate at which targets that have missed their checks are queried, in targets per second. If too many targets have missed their checks, the
 * rate is higher, so that all are queried within {@link CATCH_UP_MS} and within their interval.
 */
const CATCH_UP_RATE = 500
const CATCH_UP_MS = 5000

/** The time at which to query a target that has missed its check. `missed` is the number of targets that have missed their checks. */
export const catchUpTime = (phase: number, intervalMs: number, nowMs: number, missed: number): number =>
  nowMs + phase * Math.min(CATCH_UP_MS, intervalMs, (1000 * missed) / CATCH_UP_RATE)
