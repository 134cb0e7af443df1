/** Measures how old the latest results of the targets are. */
import type { Ages } from "../fleet/FleetStatus.ts"
import type { Watched } from "./Watched.ts"

/**
 * Maximum number of ages that are sorted. If there are more targets than this maximum, only the ages of an evenly distributed sample of the
 * targets are sorted. Each instance reports the ages every two seconds, so the computation must be fast.
 */
const MOST_SORTED = 8192

/**
 * Measures the ages of the results. Targets without a result are excluded. Targets that are down are also excluded, because they are
 * queried at another interval (`downIntervalMs` instead of `intervalMs`). If no target remains, the function returns `undefined`.
 */
export const measureAges = (targets: ReadonlyArray<Watched>, nowMs: number): Ages | undefined => {
  const every = Math.ceil(targets.length / MOST_SORTED)
  const sorted = new Float64Array(MOST_SORTED)
  let [count, chosen] = [0, 0]
  let maxMs = Number.NEGATIVE_INFINITY
  for (const { known } of targets) {
    if (known.queriedAt === undefined || known.state === "down") continue
    const age = nowMs - known.queriedAt
    maxMs = Math.max(maxMs, age)
    if (count++ % every === 0) sorted[chosen++] = age
  }
  if (count === 0) return undefined
  const ages = sorted.subarray(0, chosen).sort()
  const of = (share: number): number => ages[Math.max(0, Math.ceil(share * chosen) - 1)]!
  return { p50Ms: of(0.5), p99Ms: of(0.99), maxMs }
}
