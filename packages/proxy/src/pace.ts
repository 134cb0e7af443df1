/**
 * Decides when a repeated query is due: after its interval, and less and less often while it gets no reply.
 *
 * @module
 */

/** Longest pause of a query without a reply, in ms. */
const MAX_BACKOFF_MS = 60_000

/** Cycles are never exactly as long as their interval: a query that is due within this part of one is due now. */
const DUE_SLACK = 0.5

/** When one query is due. All times are ms of one steady clock. */
export class Pace {
  private readonly cycleMs: number
  private dueAt: number
  private failures = 0

  /** `cycleMs` is the shortest time between two queries. */
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

  /** The query of `askedAt` got a reply with the state of `takenAt`, which may be used for `intervalMs`. */
  answered(askedAt: number, takenAt: number, intervalMs: number): void {
    this.failures = 0
    this.dueAt = Math.max(askedAt + this.cycleMs, takenAt + intervalMs)
  }

  failed(askedAt: number): void {
    const backoffMs = Math.min(MAX_BACKOFF_MS, this.cycleMs * 2 ** Math.min(this.failures++, 16))
    this.dueAt = askedAt + Math.max(this.cycleMs, backoffMs)
  }
}
