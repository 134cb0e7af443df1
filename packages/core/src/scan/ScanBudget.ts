/**
 * What scans may take of line and networks: datagrams per second, targets in flight at one address and in one network. Several scans of one
 * process that share a budget take no more together than one would alone.
 */
import type { Timing } from "../engine/Timing.ts"
import { optionsOf, whole } from "../edge.ts"
import { TokenBucket } from "./TokenBucket.ts"
import { SCAN_CONCURRENCY, SCAN_PER_HOST, SCAN_PER_NETWORK } from "../Limits.ts"
import { HostLimits } from "./hostLimits.ts"

/** A scan that should have come back for so long waits no more. */
const LATE_MS = 20
/** So long a scan may have all datagrams while others wait. */
const AHEAD_MS = 10

/** Where a scan stands that waits. */
interface Waiting {
  /** Questions that it could send; all that wait have about as many. */
  taken: number
  /** When it is to come back. */
  comesBackAt: number
}

/** What a budget holds: as many as the options of a scan that are called so, and as many as them where they are not given. */
interface Limits {
  readonly concurrency?: number | undefined
  readonly perHost?: number | undefined
  readonly perNetwork?: number | undefined
  readonly rate?: number | undefined
}

/** Most targets that may be in flight anywhere. */
export const MAX_COUNT = 1_000_000

const OPTIONS = ["concurrency", "perHost", "perNetwork", "rate"]

/** A budget that scans share. */
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
    } = optionsOf(OPTIONS, limits)
    whole("concurrency", 1, MAX_COUNT, concurrency)
    whole("perHost", 1, MAX_COUNT, perHost)
    whole("perNetwork", 1, MAX_COUNT, perNetwork)
    this.bucket = rate === undefined ? undefined : new TokenBucket(rate)
    this.ahead = Math.max(1, ((rate ?? 0) * AHEAD_MS) / 1000)
    this.limits = new HostLimits(perHost, perNetwork, concurrency)
  }

  /** In how many ms a scan may ask the next target, as far as the rate goes. */
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
    // Nobody makes up for a time in which he wanted nothing.
    const own = this.waiting.get(scan) ?? { taken: Math.max(0, ...counts), comesBackAt: now }
    const isAhead = own.taken - Math.min(...counts) >= this.ahead
    return this.take(scan, own, isAhead ? Math.max(1, waitMs) : waitMs, now)
  }

  private take(scan: object, own: Waiting | undefined, waitMs: number, now: number): number {
    if (waitMs > 0) {
      const standing = own ?? { taken: 0, comesBackAt: now }
      standing.comesBackAt = now + waitMs
      this.waiting.set(scan, standing)
    } else if (own !== undefined) own.taken++
    return waitMs
  }
}
