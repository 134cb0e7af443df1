/**
 * Targets as they become due: an endless source for a scan, which takes the next one when it has room. What is due and not yet taken
 * waits in order.
 */
import { type Timing } from "@sourcewire/core/engine"
import { atHand, type Steps } from "@sourcewire/core/scan"
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

export type Schedule<A extends Timed> = ReturnType<typeof makeSchedule<A>>

/** Targets and their turns. Times are those of the `clock`. */
export const makeSchedule = <A extends Timed>(timing: Timing, clock: () => number, rules: ScheduleRules<A> = {}) => {
  const { isHeld, isWanted, onTaken } = rules
  const wheel = new TimingWheel<A>(TICK_MS, clock())
  /** Due, from `head` on. */
  const due: Array<A> = []
  /** Since when each of them is. */
  const since: Array<number> = []
  let head = 0
  let reader: ((step: IteratorResult<A>) => void) | undefined
  let cancel: (() => void) | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  let isClosed = false

  /** The next one that is due, if any is. */
  const take = (): IteratorResult<A> | undefined => {
    if (isClosed) return { done: true, value: undefined }
    if (isHeld?.() === true) return undefined
    while (head < due.length) {
      const value = due[head++]!
      if (head > MOST_TAKEN || head === due.length) {
        due.splice(0, head)
        since.splice(0, head)
        head = 0
      }
      if (isWanted?.(value) === false) continue
      onTaken?.(value)
      return { done: false, value }
    }
    return undefined
  }

  const deliver = (): void => {
    const step = reader === undefined ? undefined : take()
    if (step === undefined) return
    const deliverTo = reader!
    reader = undefined
    deliverTo(step)
  }

  /** Sets the timer for the next slot in which there is something. */
  const wake = (): void => {
    if (isClosed) return
    const at = wheel.nextMs()
    if (at === undefined || at >= wakesAt) return
    cancel?.()
    wakesAt = at
    cancel = timing.schedule(Math.max(0, at - clock()), onTimer)
  }

  const onTimer = (): void => {
    wakesAt = Number.POSITIVE_INFINITY
    wheel.advance(clock(), (target, sinceMs) => {
      due.push(target)
      since.push(sinceMs)
    })
    deliver()
    wake()
  }

  /** Nothing more is due. */
  const close = (): void => {
    isClosed = true
    cancel?.()
    reader?.({ done: true, value: undefined })
    reader = undefined
  }

  return {
    /** Targets that are due and have not been taken. */
    waiting: (): number => due.length - head,

    /** How long the one of them has waited that has waited longest, in ms. */
    lateMs: (): number => (head === due.length ? 0 : Math.max(0, clock() - since[head]!)),

    /** Gives a target its turn, in place of the one that it may have had. */
    put: (target: A, atMs: number): void => {
      wheel.put(target, atMs)
      if (atMs < wakesAt) wake()
    },

    /** Gives what is due, if it was held. */
    resume: deliver,
    close,

    [Symbol.asyncIterator]: (): Steps<A> => ({
      [atHand]: take,
      next: () =>
        new Promise((resolve) => {
          reader = resolve
          deliver()
        }),
      return: () => {
        close()
        return Promise.resolve({ done: true, value: undefined })
      }
    })
  }
}
