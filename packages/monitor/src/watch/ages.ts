/**
 * How current what is known is.
 *
 * @module
 */
import type { Watched } from "./Watched.ts"

/** How long ago half of some targets, 99 in 100 and all were asked, at most. */
export interface Ages {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** An age is told up to three weeks. */
const MOST_MS = 2 ** 31 - 1

/** The ages of targets. Those that are down are asked seldom on purpose, and left out; `undefined` where there are no others. */
export const agesOf = (targets: ReadonlyArray<Watched>, nowMs: number): Ages | undefined => {
  // Whole numbers are sorted in half the time.
  const ages = new Int32Array(targets.length)
  let count = 0
  for (const { known } of targets) {
    if (known.askedAt !== undefined && known.state !== "down") ages[count++] = Math.min(nowMs - known.askedAt, MOST_MS)
  }
  if (count === 0) return undefined
  const all = ages.subarray(0, count).sort()
  const of = (share: number): number => all[Math.max(0, Math.ceil(share * all.length) - 1)]!
  return { p50Ms: of(0.5), p99Ms: of(0.99), maxMs: of(1) }
}
