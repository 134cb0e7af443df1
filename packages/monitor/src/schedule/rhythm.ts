/**
 * When a target's turn is: a fixed place within its interval, by a hash of its address, so that load is even and a restart keeps the
 * rhythm; and how seldom the dead are asked.
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

/** The dead are asked in so many intervals once, at most. */
export const MAX_BACKOFF = 16

/** In how many intervals a target has its turn, by how often in a row it has failed: twice as many for each failure beyond `downAfter`. */
export const intervalsUntilTurn = (failures: number, downAfter: number): number =>
  failures <= downAfter ? 1 : Math.min(MAX_BACKOFF, 2 ** (failures - downAfter))

/** After a start those that have not been asked lately are asked at this rate, in targets a second, or in this time. */
const START_RATE = 500
const START_MS = 5000

/**
 * When `targets` of which a target is one are asked for the first time: in its turn where the last one was not missed, else soon.
 * `intervals` is in how many of them it has its turn.
 */
export const firstTurn = (
  phase: number,
  intervalMs: number,
  askedAtMs: number | undefined,
  nowMs: number,
  targets: number,
  intervals = 1
): number => {
  if (askedAtMs !== undefined && askedAtMs <= nowMs) {
    const turn = nextTurn(phase, intervalMs, askedAtMs + (intervals - 1) * intervalMs)
    if (turn >= nowMs) return turn
  }
  return nowMs + phase * Math.min(START_MS, intervalMs, (1000 * targets) / START_RATE)
}
