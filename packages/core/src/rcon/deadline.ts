/** The only timer of an RCON session, for its next deadline. */
import type { Timing } from "../engine/Timing.ts"

/** The time limits of a command, in ms. */
export interface TimeLimits {
  /** Maximum time without a reply. */
  readonly timeoutMs: number
  /** Maximum total time from when the command is sent, even if the server keeps sending. */
  readonly totalTimeoutMs: number
}

/** A timer that is later than this, in ms, is late because the process was busy, and not because timers are inexact. */
const LATE_MS = 20

/** Additional time for the other end of a connection in the same process, in ms, because its timers are late as well. */
const GRACE_MS = 2

/**
 * Calls back when a deadline has passed. If the timer is late, the process was busy and has not read its sockets. Therefore the sockets are
 * read first: otherwise a reply that is already waiting would count as missing.
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
   * Replaces the deadline; `Infinity` removes it. If it does not change, the timer continues: sessions set their deadline after every
   * segment, and a timer that restarts each time would never fire while data arrives without a pause.
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

  /** Reads the sockets first. Late timers all run one after the other, including this one. */
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
