/**
 * Determines the slices that an instance queries: the slices that it owns, and the slices that it has released but that no other instance
 * has claimed yet.
 *
 * @module
 */

/** The default for `graceMs`. */
const GRACE_MS = 600_000

/**
 * Time within which the next owner usually claims a released slice, because every instance checks once a second whether it must claim
 * slices. During this time, the previous owner does not query the targets of the slice.
 */
const HAND_OVER_MS = 2500
/**
 * If the store has not confirmed at the end of {@link HAND_OVER_MS} which slices this instance owns, this instance waits at most this
 * additional time. If no other instance has then claimed a released slice, this instance queries the slice again.
 */
const UNKNOWN_MS = 5000
/** Interval at which the monitor checks whether the store has confirmed which slices this instance owns. */
const POLL_MS = 250

/** The parts of the monitor that this class uses. */
interface Environment {
  readonly clock: () => number
  /** The time at which the store last confirmed which slices this instance owns. */
  readonly confirmedAt: () => number | undefined
  /** Whether the store is unavailable. While the store is unavailable, no other instance can claim a slice. */
  readonly isStoreUnavailable: () => boolean
  /**
   * Time in milliseconds after this instance has released a slice. During this time, this instance continues to query the targets of the
   * slice if no other instance claims the slice. A claim can be delayed, for example because the next owner is starting or the database is
   * unreachable.
   */
  readonly graceMs?: number | undefined
}

/** The slices that this instance queries. For each released slice, the class also stores when this instance stops querying the slice. */
export class HeldSlices {
  private readonly until = new Map<number, number>()
  /**
   * Each key is a slice that was released recently. Its value is the time in milliseconds until which this instance waits for the next
   * owner to claim the slice.
   */
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

  /** Call this method when this instance has claimed a slice. */
  take(slice: number): void {
    this.until.set(slice, Number.POSITIVE_INFINITY)
    this.leaving.delete(slice)
  }

  /** Call this method when this instance has released a slice and another instance may claim it. */
  release(slice: number): void {
    if (!this.until.has(slice)) return
    const { clock, graceMs = GRACE_MS } = this.environment
    this.until.set(slice, clock() + graceMs)
    this.leaving.set(slice, clock() + HAND_OVER_MS)
  }

  /** Call this method when another instance has claimed the given slices. */
  drop(slices: Iterable<number>): void {
    for (const slice of slices) {
      this.until.delete(slice)
      this.leaving.delete(slice)
    }
  }

  /** The released slices that no other instance has claimed within `graceMs` after the release. */
  abandoned(): ReadonlySet<number> {
    const now = this.environment.clock()
    return new Set([...this.until].flatMap(([slice, end]) => (end < now ? [slice] : [])))
  }

  /** When to check again whether a slice may be queried; `undefined` if the slice may be queried now. */
  waitsUntil(slice: number): number | undefined {
    const leavesAt = this.leaving.get(slice)
    if (leavesAt === undefined) return undefined
    const { clock, confirmedAt, isStoreUnavailable } = this.environment
    const now = clock()
    if (now < leavesAt) return leavesAt
    if (!isStoreUnavailable() && (confirmedAt() ?? 0) < leavesAt && now < leavesAt + UNKNOWN_MS) return now + POLL_MS
    this.leaving.delete(slice)
    return undefined
  }
}
