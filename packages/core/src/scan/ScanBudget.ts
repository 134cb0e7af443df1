/**
 * The rate limit of scans, and the limits for targets in flight at one address and in one network. Several scans of a process can share a
 * budget. The limits then apply to all these scans together.
 */
import type { Timing } from "../engine/Timing.ts"
import { checkedOptions, whole } from "../edge.ts"
import { TokenBucket } from "./TokenBucket.ts"
import { SCAN_CONCURRENCY, SCAN_PER_HOST, SCAN_PER_NETWORK } from "../Limits.ts"
import { HostLimits } from "./hostLimits.ts"

/**
 * A waiting scan should call `waitMs` again at the time `nextCallAt`. If the call is more than this many ms late, the scan no longer counts
 * as waiting.
 */
const LATE_MS = 20
/**
 * While several scans wait, one scan may be ahead of the other scans. Its lead, in targets, is at most the number of datagrams that the
 * rate limit allows in `AHEAD_MS` milliseconds, or 1 if this number is below 1.
 */
const AHEAD_MS = 10

/** A scan that waits to send. */
interface Waiting {
  /**
   * Counts the targets that the scan was allowed to query. A new waiting scan starts with the highest count of the other waiting scans. The
   * budget keeps the counts of all waiting scans nearly equal.
   */
  taken: number
  /** When the scan will call `waitMs` again. */
  nextCallAt: number
}

/** The options of a budget. Each option has the same meaning and default as the scan option with the same name. */
interface Limits {
  readonly concurrency?: number | undefined
  readonly perHost?: number | undefined
  readonly perNetwork?: number | undefined
  readonly rate?: number | undefined
}

/** Maximum value of every option that limits the number of targets in flight. */
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

  /** Returns how long the rate limit delays the next target of a scan, in ms. If the result is 0, the scan may query a target now. */
  waitMs(scan: object, timing: Pick<Timing, "now">): number {
    if (this.bucket === undefined) return 0
    const now = timing.now()
    const waitMs = this.bucket.waitMs(now)
    const own = this.waiting.get(scan)
    const isAlone = this.waiting.size === (own === undefined ? 0 : 1)
    return isAlone ? this.take(scan, own, waitMs, now) : this.takeBesideOthers(scan, waitMs, now)
  }

  private takeBesideOthers(scan: object, waitMs: number, now: number): number {
    for (const [one, { nextCallAt }] of this.waiting) if (nextCallAt + LATE_MS < now) this.waiting.delete(one)
    const counts = Array.from(this.waiting, ([one, { taken }]) => (one === scan ? [] : [taken])).flat()
    // If a scan was not waiting before, its `taken` starts with the highest `taken` of the waiting scans. Otherwise the other scans would
    // have to wait until this scan has caught up.
    const own = this.waiting.get(scan) ?? { taken: Math.max(0, ...counts), nextCallAt: now }
    const isAhead = own.taken - Math.min(...counts) >= this.ahead
    return this.take(scan, own, isAhead ? Math.max(1, waitMs) : waitMs, now)
  }

  private take(scan: object, own: Waiting | undefined, waitMs: number, now: number): number {
    if (waitMs > 0) {
      const entry = own ?? { taken: 0, nextCallAt: now }
      entry.nextCallAt = now + waitMs
      this.waiting.set(scan, entry)
    } else if (own !== undefined) own.taken++
    return waitMs
  }
}
