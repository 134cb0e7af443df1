/** The one timer of an RCON session: its next deadline. */
import type { Timing } from "../engine/Timing.ts"

/** How long one command may take, in ms. */
export interface TimeLimits {
  /** Longest silence. */
  readonly timeoutMs: number
  /** From when it is sent to its end, however much the server says meanwhile. */
  readonly totalTimeoutMs: number
}

/** From here on a timer is late because the process was busy, not because timers are coarse. */
const LATE_MS = 20

/** Enough for the other side of a connection within this process, whose timers are late as well. */
const GRACE_MS = 2

/**
 * Calls back when a deadline has passed. A process that was too busy to keep the time has not read its sockets either; so after a
 * late timer they get one more turn, lest silence be seen where only this side was deaf.
 */
export class Deadline {
  private readonly timing: Timing
  private readonly passed: () => void
  private at = Number.POSITIVE_INFINITY
  private cancel: (() => void) | undefined

  constructor(timing: Timing, passed: () => void) {
    this.timing = timing
    this.passed = passed
  }

  /**
   * Replaces whatever was set; `Infinity` sets nothing. The deadline that is set already keeps its timer: sessions set theirs after
   * every segment, and a timer begun anew by each would never fire under data without a pause.
   */
  set(at: number): void {
    if (at === this.at && this.cancel !== undefined) return
    this.clear()
    this.at = at
    if (at === Number.POSITIVE_INFINITY) return
    this.schedule(Math.max(0, at - this.timing.now()), () => {
      if (this.timing.now() - at < LATE_MS) return this.passed()
      return this.schedule(GRACE_MS, () => this.read())
    })
  }

  /** Lets the sockets have their turn: timers that are all late run one after the other, the last ones included. */
  private read(): void {
    const { afterReading } = this.timing
    if (afterReading === undefined) return this.passed()
    this.cancel = afterReading(() => {
      this.cancel = undefined
      this.passed()
    })
    return undefined
  }

  /** Sets nothing. */
  clear(): void {
    this.cancel?.()
    this.cancel = undefined
  }

  private schedule(delayMs: number, then: () => void): void {
    this.cancel = this.timing.schedule(delayMs, () => {
      this.cancel = undefined
      then()
    })
  }
}
