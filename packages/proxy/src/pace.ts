/**
 * When something that is asked again and again is due: after its interval, and ever more seldom while it is not answered.
 *
 * @module
 */

/** How long a question that is not answered waits at most until it is asked again, in ms. */
const MAX_BACKOFF_MS = 60_000

/** Cycles are never quite as long as their interval: what is due within this part of one is due now. */
const DUE_SLACK = 0.5

/** When one question is due. All times are ms of one steady clock. */
export class Pace {
  readonly #cycleMs: number
  #dueAt: number
  #failures = 0

  /** `cycleMs` is the least time between two questions. */
  constructor(cycleMs: number, firstDueAt: number = Number.NEGATIVE_INFINITY) {
    this.#cycleMs = cycleMs
    this.#dueAt = firstDueAt
  }

  /** Whether the last question was not answered. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  isDue(now: number): boolean {
    return now >= this.#dueAt - this.#cycleMs * DUE_SLACK
  }

  hasten(): void {
    this.#dueAt = Number.NEGATIVE_INFINITY
  }

  /** The question of `askedAt` was answered by what was true at `takenAt` and may be used for `intervalMs`. */
  answered(askedAt: number, takenAt: number, intervalMs: number): void {
    this.#failures = 0
    this.#dueAt = Math.max(askedAt + this.#cycleMs, takenAt + intervalMs)
  }

  failed(askedAt: number): void {
    const backoffMs = Math.min(MAX_BACKOFF_MS, this.#cycleMs * 2 ** Math.min(this.#failures++, 16))
    this.#dueAt = askedAt + Math.max(this.#cycleMs, backoffMs)
  }
}
