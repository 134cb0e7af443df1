/**
 * What scans may take of line and networks: datagrams per second, targets in flight at one address and in one network. Several scans of one
 * process that share a budget take no more together than one would alone.
 *
 * @module
 */
import { TokenBucket } from "../engine/TokenBucket.ts"
import { SCAN_CONCURRENCY, SCAN_PER_HOST, SCAN_PER_NETWORK } from "../Limits.ts"
import { HostLimits, type Limited } from "./hostLimits.ts"

/** A scan that should have come back for so long waits no more. */
const LATE_MS = 20
/** So long a scan may have all datagrams while others wait. */
const AHEAD_MS = 10

/** Where one of several scans stands. */
interface Standing {
  /** Questions that it could send; of those that wait, all have about as many. */
  taken: number
  /** When it is to come back; in the past where it does not wait. */
  comesBackAt: number
}

/** A target of one of the scans, which is to be told when there is room for it. */
interface Asked extends Limited {
  readonly owner: { onRoom(target: Asked): void }
}

/** What a budget holds: as many as the options of a scan that are called so, and as many as them where they are not given. */
interface Limits {
  readonly concurrency?: number | undefined
  readonly perHost?: number | undefined
  readonly perNetwork?: number | undefined
  readonly rate?: number | undefined
}

/** A budget for scans that last as long as it does: one that is cut off keeps the places of its targets in flight. */
export class ScanBudget {
  readonly bucket: TokenBucket | undefined
  readonly limits: HostLimits<Asked>
  private readonly ahead: number
  private readonly scans = new Map<object, Standing>()

  constructor({
    concurrency = SCAN_CONCURRENCY,
    perHost = SCAN_PER_HOST,
    perNetwork = SCAN_PER_NETWORK,
    rate
  }: Limits = {}) {
    this.bucket = rate === undefined ? undefined : new TokenBucket(rate)
    this.ahead = Math.max(1, ((rate ?? 0) * AHEAD_MS) / 1000)
    this.limits = new HostLimits(perHost, perNetwork, concurrency)
  }

  /** In how many ms a scan may ask the next target, as far as the rate goes. */
  waitMs(scan: object, now: number): number {
    if (this.bucket === undefined) return 0
    const waitMs = this.bucket.waitMs(now)
    const own = this.scans.get(scan) ?? { taken: 0, comesBackAt: Number.NEGATIVE_INFINITY }
    // Who never had to wait takes nothing from anybody.
    if (waitMs > 0) this.scans.set(scan, own)
    if (this.scans.size === (this.scans.has(scan) ? 1 : 0)) return waitMs
    const isWaiting = ({ comesBackAt }: Standing): boolean => comesBackAt + LATE_MS >= now
    const others = [...this.scans.values()].filter((other) => other !== own && isWaiting(other))
    const counts = others.map(({ taken }) => taken)
    // Nobody makes up for a time in which he wanted nothing.
    if (others.length > 0 && !isWaiting(own)) own.taken = Math.max(...counts)
    if (waitMs === 0 && own.taken - Math.min(...counts, own.taken) < this.ahead) {
      own.taken++
      return 0
    }
    const longer = Math.max(1, waitMs)
    own.comesBackAt = now + longer
    return longer
  }
}
