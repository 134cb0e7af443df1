/**
 * The rate limit of scans, and their limits of targets in flight at one address and in one network. All scans of a process that share a
 * budget together send no more than one scan would alone.
 */
import type { Timing } from "../engine/Timing.ts"
import { checkedOptions, whole } from "../edge.ts"
import { TokenBucket } from "./TokenBucket.ts"
import { SCAN_CONCURRENCY, SCAN_PER_HOST, SCAN_PER_NETWORK } from "../Limits.ts"
import { HostLimits } from "./hostLimits.ts"

/** A scan that is this late, in ms, no longer counts as waiting. */
const LATE_MS = 20
/** A scan waits if it is ahead of another one by as many requests as the rate limit allows in this time, in ms. */
const AHEAD_MS = 10

/** A scan that waits to send. */
interface Waiting {
  /** Number of requests that it was allowed to send. It is about equal for all scans that wait. */
  taken: number
  /** Time of its next call. */
  comesBackAt: number
}

/** The options of a budget, with the meaning and defaults of the same options of a scan. */
interface Limits {
  readonly concurrency?: number | undefined
  readonly perHost?: number | undefined
  readonly perNetwork?: number | undefined
  readonly rate?: number | undefined
}

/** Maximum number of targets in flight, for any option. */
export const MAX_COUNT = 1_000_000

const OPTIONS = ["concurrency", "perHost", "perNetwork", "rate"]

/** A budget that several scans share. */
export class ScanBudget {
  readonly bucket: TokenBucket | undefined
  readonly limits: HostLimits
  private readonly ahead: number
  private readonly waiting = new Map<object, Waiting>()

  constructor(limits: Limits = {}) {
    const {
      concurrency = SCAN_CONCURRENCY,
      perHost = SCAN_PER_HOST,
      perNetwork = SCAN_PER_NETWORK,
      rate
    } = checkedOptions(OPTIONS, limits)
    whole("concurrency", 1, MAX_COUNT, concurrency)
    whole("perHost", 1, MAX_COUNT, perHost)
    whole("perNetwork", 1, MAX_COUNT, perNetwork)
    this.bucket = rate === undefined ? undefined : new TokenBucket(rate)
    this.ahead = Math.max(1, ((rate ?? 0) * AHEAD_MS) / 1000)
    this.limits = new HostLimits(perHost, perNetwork, concurrency)
  }

  /** Time until a scan may query the next target, by the rate limit, in ms. */
  waitMs(scan: object, timing: Pick<Timing, "now">): number {
    if (this.bucket === undefined) return 0
    const now = timing.now()
    const waitMs = this.bucket.waitMs(now)
    const own = this.waiting.get(scan)
    const isAlone = this.waiting.size === (own === undefined ? 0 : 1)
    return isAlone ? this.take(scan, own, waitMs, now) : this.takeBesideOthers(scan, waitMs, now)
  }

  private takeBesideOthers(scan: object, waitMs: number, now: number): number {
    for (const [one, { comesBackAt }] of this.waiting) if (comesBackAt + LATE_MS < now) this.waiting.delete(one)
    const counts = Array.from(this.waiting, ([one, { taken }]) => (one === scan ? [] : [taken])).flat()
    // A scan is not compensated for a period in which it had nothing to send.
    const own = this.waiting.get(scan) ?? { taken: Math.max(0, ...counts), comesBackAt: now }
    const isAhead = own.taken - Math.min(...counts) >= this.ahead
    return this.take(scan, own, isAhead ? Math.max(1, waitMs) : waitMs, now)
  }

  private take(scan: object, own: Waiting | undefined, waitMs: number, now: number): number {
    if (waitMs > 0) {
      const entry = own ?? { taken: 0, comesBackAt: now }
      entry.comesBackAt = now + waitMs
      this.waiting.set(scan, entry)
    } else if (own !== undefined) own.taken++
    return waitMs
  }
}
