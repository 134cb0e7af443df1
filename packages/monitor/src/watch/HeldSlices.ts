/**
 * The slices that a monitor asks: its own, and those that it has let go of and nobody has taken yet.
 *
 * @module
 */

/** See `graceMs`; unless it is given. */
const GRACE_MS = 600_000

/** So long whoever comes next has to take it before anybody of it is asked; he looks once a second. */
const HAND_OVER_MS = 2500
/** A slice is asked again when it is known that nobody has taken it, or when nothing has been known of it for so long. */
const UNKNOWN_MS = 5000
/** How often that is looked at. */
const LOOK_MS = 250

/** What is known of the store. */
interface Surroundings {
  readonly clock: () => number
  /** When it last told us which slices are ours still. */
  readonly toldAt: () => number | undefined
  /** Whether it cannot be used: then nobody can take anything. */
  readonly isAway: () => boolean
  /**
   * So long a slice is asked on that is ours no longer, unless somebody else takes it: its owner may be on the way, or the database
   * away. In ms.
   */
  readonly graceMs?: number | undefined
}

/** Slices, and until when they are asked. */
export const makeHeldSlices = ({ clock, graceMs = GRACE_MS, isAway, toldAt }: Surroundings) => {
  const until = new Map<number, number>()
  /** Those that were let go of, and when others will have taken them. */
  const leaving = new Map<number, number>()

  return {
    size: (): number => until.size,
    has: (slice: number): boolean => until.has(slice),
    /** Their numbers. */
    all: (): ReadonlyArray<number> => [...until.keys()],

    /** It is ours. */
    take: (slice: number): void => {
      until.set(slice, Number.POSITIVE_INFINITY)
      leaving.delete(slice)
    },

    /** It is ours no longer, and may be somebody else's in a moment. */
    leave: (slice: number): void => {
      if (!until.has(slice)) return
      until.set(slice, clock() + graceMs)
      leaving.set(slice, clock() + HAND_OVER_MS)
    },

    /** Somebody else has them. */
    drop: (slices: Iterable<number>): void => {
      for (const slice of slices) {
        until.delete(slice)
        leaving.delete(slice)
      }
    },

    /** Those that have been asked for long enough without being ours. */
    abandoned: (): ReadonlySet<number> => {
      const now = clock()
      return new Set([...until].flatMap(([slice, end]) => (end < now ? [slice] : [])))
    },

    /** When to look again whether a slice may be asked; `undefined` where it may. */
    waitsUntil: (slice: number): number | undefined => {
      const leavesAt = leaving.get(slice)
      if (leavesAt === undefined) return undefined
      const now = clock()
      if (now < leavesAt) return leavesAt
      if (!isAway() && (toldAt() ?? 0) < leavesAt && now < leavesAt + UNKNOWN_MS) return now + LOOK_MS
      leaving.delete(slice)
      return undefined
    }
  }
}
