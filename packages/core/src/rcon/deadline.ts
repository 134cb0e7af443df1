/** The timer of an RCON session. A session uses only one timer, which is always set to the session's next deadline. */
import type { Timing } from "../engine/Timing.ts"

/** The time limits of a command, in ms. */
export interface TimeLimits {
  /** Maximum time during which no part of a reply arrives. */
  readonly timeoutMs: number
  /** Maximum total time after the command was sent. This limit also applies while the server continues to send parts of the reply. */
  readonly totalTimeoutMs: number
}

/**
 * If a timer fires more than this many ms late, {@link Deadline} assumes that the process was busy. Smaller delays are usual, because
 * timers are inexact.
 */
const LATE_MS = 20

/**
 * Additional wait after a late timer, in ms. If the server runs in the same process, the timers of the server are late, too. The server can
 * still reply during this wait.
 */
const GRACE_MS = 2

/**
 * Calls `passed` when a deadline has passed. If the timer is late, the process was busy, and a reply may wait unread in a socket. Therefore
 * the sockets are read before `passed` is called.
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
   * Replaces the deadline. `Infinity` removes the deadline. If the deadline does not change, the timer is not restarted. A session calls
   * this method after every segment. If each call restarted the timer, the timer would never fire while data arrives without a pause.
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

  /**
   * Calls `passed` after the runtime has read its sockets. A timer cannot call `passed` directly, because the runtime runs all late timers
   * before it reads the sockets.
   */
  private read(): void {
    const { afterReading } = this.timing
    if (afterReading === undefined) return this.passed()
    this.cancel = afterReading(() => {
      this.cancel = undefined
      this.passed()
    })
    return undefined
  }

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
