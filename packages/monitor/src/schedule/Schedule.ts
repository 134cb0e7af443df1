/**
 * Targets as they become due: an endless source for a scan, which takes the next one when it has room. What is due and not yet taken
 * waits in order.
 */
import { atHand, type Steps, type Timing } from "@sourcewire/core/machines"
import { type Timed, TimingWheel } from "./TimingWheel.ts"

/** The wheel turns so often. */
const TICK_MS = 50
/** Targets that were taken are let go of when they are so many. */
const MOST_TAKEN = 1024

/** What else there is to giving targets. */
export interface ScheduleRules<A> {
  /** Hears of each target that is taken. */
  readonly onTaken?: (target: A) => void
  /** Whether a target whose turn has come is to be given at all. */
  readonly isWanted?: (target: A) => boolean
  /** While it is so, none is given; `resume` looks again. */
  readonly isHeld?: () => boolean
}

/** Targets and their turns. Times are those of the `clock`. */
export class Schedule<A extends Timed> implements AsyncIterable<A> {
  private readonly timing: Timing
  private readonly clock: () => number
  private readonly wheel: TimingWheel<A>
  /** Due, from `head` on. */
  private readonly due: Array<A> = []
  /** Since when each of them is. */
  private readonly since: Array<number> = []
  private head = 0
  private reader: ((step: IteratorResult<A>) => void) | undefined = undefined
  private cancel: (() => void) | undefined = undefined
  private wakesAt = Number.POSITIVE_INFINITY
  private isClosed = false
  private readonly rules: ScheduleRules<A>

  constructor(timing: Timing, clock: () => number, rules: ScheduleRules<A> = {}) {
    this.timing = timing
    this.clock = clock
    this.rules = rules
    this.wheel = new TimingWheel(TICK_MS, clock())
  }

  /** Targets that are due and have not been taken. */
  get waiting(): number {
    return this.due.length - this.head
  }

  /** How long the one of them has waited that has waited longest, in ms. */
  get lateMs(): number {
    return this.waiting === 0 ? 0 : Math.max(0, this.clock() - this.since[this.head]!)
  }

  /** Gives a target its turn, in place of the one that it may have had. */
  put(target: A, atMs: number): void {
    this.wheel.put(target, atMs)
    if (atMs < this.wakesAt) this.wake()
  }

  /** Gives what is due, if it was held. */
  resume(): void {
    this.deliver()
  }

  /** Nothing more is due. */
  close(): void {
    this.isClosed = true
    this.cancel?.()
    this.reader?.({ done: true, value: undefined })
    this.reader = undefined
  }

  [Symbol.asyncIterator](): Steps<A> {
    return {
      [atHand]: () => this.take(),
      next: () =>
        new Promise((resolve) => {
          this.reader = resolve
          this.deliver()
        }),
      return: () => {
        this.close()
        return Promise.resolve({ done: true, value: undefined })
      }
    }
  }

  private deliver(): void {
    const { reader } = this
    const step = reader === undefined ? undefined : this.take()
    if (step === undefined) return
    this.reader = undefined
    reader!(step)
  }

  /** The next one that is due, if any is. */
  private take(): IteratorResult<A> | undefined {
    const { isHeld, isWanted, onTaken } = this.rules
    if (this.isClosed) return { done: true, value: undefined }
    if (isHeld?.() === true) return undefined
    while (this.waiting > 0) {
      const value = this.due[this.head++]!
      if (this.head > MOST_TAKEN || this.head === this.due.length) {
        this.due.splice(0, this.head)
        this.since.splice(0, this.head)
        this.head = 0
      }
      if (isWanted?.(value) === false) continue
      onTaken?.(value)
      return { done: false, value }
    }
    return undefined
  }

  /** Sets the timer for the next slot in which there is something. */
  private wake(): void {
    if (this.isClosed) return
    const at = this.wheel.nextMs()
    if (at === undefined || at >= this.wakesAt) return
    this.cancel?.()
    this.wakesAt = at
    this.cancel = this.timing.schedule(Math.max(0, at - this.clock()), this.onTimer)
  }

  private readonly onTimer = (): void => {
    this.wakesAt = Number.POSITIVE_INFINITY
    this.wheel.advance(this.clock(), (target, sinceMs) => {
      this.due.push(target)
      this.since.push(sinceMs)
    })
    this.deliver()
    this.wake()
  }
}
