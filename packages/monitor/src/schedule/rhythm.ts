/**
 * The times at which a target is queried: a fixed place within its interval, by a hash of its address. This makes the load even, and a
 * restart does not change the rhythm.
 *
 * @module
 */

/** FNV-1a over the text, mixed once more so that neighbouring ports get distant values. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The place of a target within its interval, from 0 to 1. */
export const choosePhase = (address: string): number => hashText(address) / 2 ** 32

/** The first turn after `afterMs`. The turns of a target are whole intervals apart. */
export const nextTurn = (phase: number, intervalMs: number, afterMs: number): number => {
  const offset = phase * intervalMs
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset
}

/** The turn after the last query; `undefined` if it was missed, or if there was no query yet. */
export const turnAhead = (
  phase: number,
  intervalMs: number,
  askedAtMs: number | undefined,
  nowMs: number
): number | undefined => {
  if (askedAtMs === undefined || askedAtMs > nowMs) return undefined
  const turn = nextTurn(phase, intervalMs, askedAtMs)
  return turn < nowMs ? undefined : turn
}

/** Targets that have missed their turns are queried at this rate per second, or within the time below if they are many. */
const CATCH_UP_RATE = 500
const CATCH_UP_MS = 5000

/** When to query a target that has missed its turn, given the number of other such targets. */
export const turnSoon = (phase: number, intervalMs: number, nowMs: number, missed: number): number =>
  nowMs + phase * Math.min(CATCH_UP_MS, intervalMs, (1000 * missed) / CATCH_UP_RATE)
