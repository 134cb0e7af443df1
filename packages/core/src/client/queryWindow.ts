/**
 * Adjusts the window: how many servers a client queries at the same time. The window grows with each reply. The window shrinks to half in
 * case of overload: many queries needed a retransmission, and the replies to the other queries took much longer than usual. If both happen,
 * the network, a host or a receive queue is overloaded, and retransmissions increase the load. One of these two signs alone is not enough:
 * a lossy network also loses datagrams under low load, and distant servers always reply late.
 *
 * After the window has shrunk, replies to queries that started before this change are not evaluated, because these replies show the load of
 * the larger window. A scan has its own window (`congestionWindow.ts`), because a scan also measures round-trip times and counts the
 * datagrams that its receive queues lost. All times are in ms, on one monotonic clock.
 */
import { FIRST_WINDOW } from "../Limits.ts"

/** Minimum size of the window. */
const LEAST_WINDOW = 4
/** Number of replies that are evaluated together. */
const REPLIES_PER_EVALUATION = 32
/** The window shrinks only if more than this share of the queries needed a retransmission. */
const MANY_SHARE = 0.2
/**
 * If more than this share of the queries needed a retransmission, the mean duration also includes the queries with a retransmission,
 * because too few queries without a retransmission are left.
 */
const MOST_SHARE = 0.75
/** Replies are slow if their mean duration is longer than this factor times the lowest mean duration so far. */
const LONG_FACTOR = 2
/**
 * The stored lowest mean grows by this factor with each evaluation. Without this growth, the client would consider all replies slow forever
 * after the network has changed to a slower route.
 */
const BEST_FACTOR = 1.02
/**
 * A server counts as dead if it has not replied for this time (in ms) or for {@link DEAD_FACTOR} times the mean duration, whichever is
 * longer.
 */
const DEAD_MS = 1000
/** See {@link DEAD_MS}. */
const DEAD_FACTOR = 4
/**
 * The factor by which the window grows when servers count as dead, at most once per `deadMs`. After the window has shrunk for the first
 * time, the factor is {@link DEAD_REGROWTH}.
 */
const DEAD_GROWTH = 2
const DEAD_REGROWTH = 1.25

export class QueryWindow {
  /** Maximum number of servers to query at the same time; may be fractional. */
  size: number
  private readonly max: number
  /** True until the window shrinks for the first time. */
  private isGrowing = true
  /** Replies to queries that started before this time are not evaluated. */
  private countFrom = Number.NEGATIVE_INFINITY
  private replies = 0
  private retransmitted = 0
  /** Sums of durations: of queries without a retransmission (`onceMs`), and of all queries (`totalMs`). */
  private onceMs = 0
  private totalMs = 0
  /** Mean duration of the replies in the last evaluation (`meanMs`), and the lowest mean (`bestMs`). */
  private meanMs = 0
  private bestMs = Number.POSITIVE_INFINITY
  /** Time of the last growth because of dead servers. */
  private grownAt = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.max = max
    this.size = Math.min(max, FIRST_WINDOW)
  }

  /** A server counts as dead after this many ms without a reply. */
  get deadMs(): number {
    return Math.max(DEAD_MS, DEAD_FACTOR * this.meanMs)
  }

  /** Called when a server has replied to a query that started at `startedAt`. */
  onReply(startedAt: number, now: number, wasRetransmitted: boolean): void {
    this.size = Math.min(this.max, this.size + (this.isGrowing ? 1 : 1 / this.size))
    if (startedAt < this.countFrom) return
    this.replies++
    this.totalMs += now - startedAt
    if (wasRetransmitted) this.retransmitted++
    else this.onceMs += now - startedAt
    if (this.replies >= REPLIES_PER_EVALUATION) this.evaluate(now)
  }

  /**
   * Called when some servers count as dead. The window grows, because dead servers use a part of the window, and a missing reply does not
   * show how high the load is.
   */
  onDead(now: number): void {
    if (now - this.grownAt < this.deadMs) return
    this.grownAt = now
    this.size = Math.min(this.max, this.size * (this.isGrowing ? DEAD_GROWTH : DEAD_REGROWTH))
  }

  private evaluate(now: number): void {
    const { replies, retransmitted } = this
    const share = retransmitted / replies
    this.meanMs = share <= MOST_SHARE ? this.onceMs / (replies - retransmitted) : this.totalMs / replies
    this.bestMs = Math.min(this.meanMs, BEST_FACTOR * this.bestMs)
    this.replies = this.retransmitted = this.onceMs = this.totalMs = 0
    if (share <= MANY_SHARE || this.meanMs <= LONG_FACTOR * this.bestMs) return
    this.isGrowing = false
    this.size = Math.max(Math.min(LEAST_WINDOW, this.max), this.size / 2)
    this.countFrom = now
  }
}
