/**
 * When a target's turn is: a fixed place within its interval, by a hash of its address, so that load is even and a restart keeps the
 * rhythm.
 *
 * @module
 */

/** FNV-1a over the text, mixed once more so that neighbouring ports lie apart. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A target's place within its interval, as a share of it. */
export const phaseOf = (address: string): number => hashOf(address) / 2 ** 32

/** The first turn after `afterMs`: all turns of a target lie whole intervals apart. */
export const nextTurn = (phase: number, intervalMs: number, afterMs: number): number => {
  const offset = phase * intervalMs
  return (Math.floor((afterMs - offset) / intervalMs) + 1) * intervalMs + offset
}

/** The turn after the last question; `undefined` if it was missed, or if nobody has asked yet. */
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

/** Those that have missed their turns are asked at this rate, in targets a second, or in this time. */
const CATCH_UP_RATE = 500
const CATCH_UP_MS = 5000

/** When a target is asked that has missed its turn, as so many others have. */
export const turnSoon = (phase: number, intervalMs: number, nowMs: number, missed: number): number =>
  nowMs + phase * Math.min(CATCH_UP_MS, intervalMs, (1000 * missed) / CATCH_UP_RATE)
