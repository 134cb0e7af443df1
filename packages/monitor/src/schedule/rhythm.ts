/**
 * Computes the times at which a target is queried. Each target has a fixed position within its interval. A hash of the target's address
 * determines this position. Therefore queries are spread evenly over the interval, and their times do not change after a restart.
 *
 * @module
 */

/**
 * Hashes a text with FNV-1a. An additional step mixes the bits of the result, so that addresses with adjacent ports have very different
 * hashes.
 */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The position of a target within its interval, as a share of the interval (from 0 to 1). */
export const choosePhase = (address: string): number => hashText(address) / 2 ** 32

/** The time of the first scheduled query after `afterMs`. Each interval contains one query of the target, at the position `phase`. */
export const nextQueryTime = (phase: number, intervalMs: number, afterMs: number): number => {
  const offset = phase * intervalMs
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset
}

/**
 * The time of the first scheduled query after the last query of a target. `undefined` if this time has passed, or if the target has not
 * been queried yet.
 */
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
 * If scheduled queries were missed, the monitor sends the missed queries at this rate, in targets per second. If all missed queries
 * together would take longer than {@link CATCH_UP_MS}, or longer than the interval of the targets, the monitor uses a higher rate.
 */
const CATCH_UP_RATE = 500
const CATCH_UP_MS = 5000

/** The time at which to query a target whose scheduled query was missed. `missed` is the number of these targets. */
export const catchUpTime = (phase: number, intervalMs: number, nowMs: number, missed: number): number =>
  nowMs + phase * Math.min(CATCH_UP_MS, intervalMs, (1000 * missed) / CATCH_UP_RATE)
