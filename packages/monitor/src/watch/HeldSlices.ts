/**
 * The slices that a monitor queries: its own, and those that it has released and that no other instance has claimed yet.
 *
 * @module
 */

/** The default of `graceMs`. */
const GRACE_MS = 600_000

/** The next owner claims a slice within this time after its release, since it checks once a second. Until then, nothing is queried. */
const HAND_OVER_MS = 2500
/** After this time, the slice is queried again if no other instance has claimed it, or if this is unknown. */
const UNKNOWN_MS = 5000
/** How often the monitor checks whether another instance has claimed the slice. */
const LOOK_MS = 250

/** The state of the store. */
interface Environment {
  readonly clock: () => number
  /** When the store last confirmed which slices are ours. */
  readonly confirmedAt: () => number | undefined
  /** Whether the store is unusable, so that no other instance can claim anything. */
  readonly isStoreUnavailable: () => boolean
  /**
   * For how long a slice that is no longer ours is queried if no other instance claims it: its owner may be starting, or the database may
   * be unreachable. In milliseconds.
   */
  readonly graceMs?: number | undefined
}

/** Slices, and until when they are queried. */
export class HeldSlices {
  private readonly until = new Map<number, number>()
  /** Released slices, and when another instance will have claimed them. */
  private readonly leaving = new Map<number, number>()
  private readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  size(): number {
    return this.until.size
  }

  has(slice: number): boolean {
    return this.until.has(slice)
  }

  all(): ReadonlyArray<number> {
    return [...this.until.keys()]
  }

  /** Called when the slice is ours. */
  take(slice: number): void {
    this.until.set(slice, Number.POSITIVE_INFINITY)
    this.leaving.delete(slice)
  }

  /** Called when the slice is no longer ours, and another instance may claim it. */
  leave(slice: number): void {
    if (!this.until.has(slice)) return
    const { clock, graceMs = GRACE_MS } = this.environment
    this.until.set(slice, clock() + graceMs)
    this.leaving.set(slice, clock() + HAND_OVER_MS)
  }

  /** Called when another instance has claimed these. */
  drop(slices: Iterable<number>): void {
    for (const slice of slices) {
      this.until.delete(slice)
      this.leaving.delete(slice)
    }
  }

  /** Slices that were queried for the grace period without being ours. */
  abandoned(): ReadonlySet<number> {
    const now = this.environment.clock()
    return new Set([...this.until].flatMap(([slice, end]) => (end < now ? [slice] : [])))
  }

  /** When to check again whether a slice may be queried; `undefined` if it may be. */
  waitsUntil(slice: number): number | undefined {
    const leavesAt = this.leaving.get(slice)
    if (leavesAt === undefined) return undefined
    const { clock, confirmedAt, isStoreUnavailable } = this.environment
    const now = clock()
    if (now < leavesAt) return leavesAt
    if (!isStoreUnavailable() && (confirmedAt() ?? 0) < leavesAt && now < leavesAt + UNKNOWN_MS) return now + LOOK_MS
    this.leaving.delete(slice)
    return undefined
  }
}
