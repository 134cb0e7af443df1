/**
 * Schedules a repeated query. After a reply, the query is due after its interval. While the server does not reply, the pauses before the
 * query increase.
 *
 * @module
 */

/** Maximum pause after a query without a reply, in ms. */
const MAX_BACKOFF_MS = 60_000

/** The time between two cycles varies. Therefore a cycle sends a query early if the query becomes due within this fraction of `cycleMs`. */
const DUE_SLACK = 0.5

/** The schedule of a query. All times are in ms of the same monotonic clock. */
export class Pace {
  private readonly cycleMs: number
  private dueAt: number
  private failures = 0

  /** `cycleMs` is the minimum time between two queries. */
  constructor(cycleMs: number, firstDueAt: number = Number.NEGATIVE_INFINITY) {
    this.cycleMs = cycleMs
    this.dueAt = firstDueAt
  }

  /** Whether the last query got no reply. */
  get isFailing(): boolean {
    return this.failures > 0
  }

  isDue(now: number): boolean {
    return now >= this.dueAt - this.cycleMs * DUE_SLACK
  }

  hasten(): void {
    this.dueAt = Number.NEGATIVE_INFINITY
  }

  /**
   * Records a reply to the query that was sent at `queriedAt`. The game server sent the reply at `takenAt`. The next query is due
   * `intervalMs` after `takenAt`, but at least one cycle after `queriedAt`.
   */
  answered(queriedAt: number, takenAt: number, intervalMs: number): void {
    this.failures = 0
    this.dueAt = Math.max(queriedAt + this.cycleMs, takenAt + intervalMs)
  }

  failed(queriedAt: number): void {
    const backoffMs = Math.min(MAX_BACKOFF_MS, this.cycleMs * 2 ** Math.min(this.failures++, 16))
    this.dueAt = queriedAt + Math.max(this.cycleMs, backoffMs)
  }
}
