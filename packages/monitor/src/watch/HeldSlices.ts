/**
 * The slices that a monitor queries: its own, and those that it has released and that no other instance has claimed yet.
 *
 * @module
 */

/** The default of `graceMs`. */
const GRACE_MS = 600_000

/** The next owner claims a slice within this time after it was released: it looks once a second. Until then, nothing is queried. */
const HAND_OVER_MS = 2500
/** Then the slice is queried again if it is known that nobody has claimed it, or if nothing was known of it for so long. */
const UNKNOWN_MS = 5000
/** How often that is checked. */
const LOOK_MS = 250

/** What is known of the store. */
interface Surroundings {
  readonly clock: () => number
  /** When the store last confirmed which slices are ours. */
  readonly confirmedAt: () => number | undefined
  /** Whether the store cannot be used: then no other instance can claim anything. */
  readonly isAway: () => boolean
  /**
   * For how long a slice is queried that is ours no longer, unless another instance claims it: its owner may be starting, or the database
   * may be away. In ms.
   */
  readonly graceMs?: number | undefined
}

/** Slices, and until when they are queried. */
export class HeldSlices {
  private readonly until = new Map<number, number>()
  /** Slices that were released, and when another instance will have claimed them. */
  private readonly leaving = new Map<number, number>()
  private readonly surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
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

  /** The slice is ours. */
  take(slice: number): void {
    this.until.set(slice, Number.POSITIVE_INFINITY)
    this.leaving.delete(slice)
  }

  /** The slice is ours no longer, and another instance may claim it. */
  leave(slice: number): void {
    if (!this.until.has(slice)) return
    const { clock, graceMs = GRACE_MS } = this.surroundings
    this.until.set(slice, clock() + graceMs)
    this.leaving.set(slice, clock() + HAND_OVER_MS)
  }

  /** Another instance has claimed these. */
  drop(slices: Iterable<number>): void {
    for (const slice of slices) {
      this.until.delete(slice)
      this.leaving.delete(slice)
    }
  }

  /** Slices that were queried for the grace period without being ours. */
  abandoned(): ReadonlySet<number> {
    const now = this.surroundings.clock()
    return new Set([...this.until].flatMap(([slice, end]) => (end < now ? [slice] : [])))
  }

  /** When to check again whether a slice may be queried; `undefined` if it may be. */
  waitsUntil(slice: number): number | undefined {
    const leavesAt = this.leaving.get(slice)
    if (leavesAt === undefined) return undefined
    const { clock, confirmedAt, isAway } = this.surroundings
    const now = clock()
    if (now < leavesAt) return leavesAt
    if (!isAway() && (confirmedAt() ?? 0) < leavesAt && now < leavesAt + UNKNOWN_MS) return now + LOOK_MS
    this.leaving.delete(slice)
    return undefined
  }
}
