/**
 * An endless source of due targets for a scan. The scan requests the next target when it has free capacity. Due targets wait in a queue, in
 * the order in which they became due, until the scan requests them.
 */
import { type Timing } from "@sourcewire/core/engine"
import { nextIfAvailable, type Steps } from "@sourcewire/core/scan"
import { type Timed, TimingWheel } from "./TimingWheel.ts"

/** Targets become due at multiples of this time, in milliseconds. */
const TICK_MS = 50
/**
 * Maximum number of targets that stay in the queue after the scan has received them. Removing these targets one by one would be slow.
 * Therefore they are removed together when this number is exceeded, or when the scan has received the whole queue.
 */
const MOST_TAKEN = 1024

export interface ScheduleRules<A> {
  /** The schedule calls this function immediately before the scan receives a target. */
  readonly onTaken?: (target: A) => void
  /**
   * The schedule calls this function before it returns a due target to the scan. If the function returns `false`, the schedule skips the
   * target.
   */
  readonly isWanted?: (target: A) => boolean
  /**
   * While this function returns `true`, the schedule returns no target. When the return value of this function may have changed, call
   * `resume`.
   */
  readonly isPaused?: () => boolean
}

export type Schedule<A extends Timed> = ReturnType<typeof makeSchedule<A>>

/** Creates a schedule. `clock` returns the current time, in milliseconds. All other times of the schedule refer to this clock. */
export const makeSchedule = <A extends Timed>(timing: Timing, clock: () => number, rules: ScheduleRules<A> = {}) => {
  const { isPaused, isWanted, onTaken } = rules
  const wheel = new TimingWheel<A>(TICK_MS, clock())
  /** Due targets. The scan has already received the targets whose index is less than `head`. */
  const due: Array<A> = []
  /** For each target in `due`, at the same index: the time at which this target became due. */
  const since: Array<number> = []
  let head = 0
  let reader: ((step: IteratorResult<A>) => void) | undefined
  let cancel: (() => void) | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  let isClosed = false

  /** Returns the next due target; `undefined` if no target is due, or if the schedule is paused. */
  const take = (): IteratorResult<A> | undefined => {
    if (isClosed) return { done: true, value: undefined }
    if (isPaused?.() === true) return undefined
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

  /** Sets the timer to the next tick at which a target may be due. */
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

  const close = (): void => {
    isClosed = true
    cancel?.()
    reader?.({ done: true, value: undefined })
    reader = undefined
  }

  return {
    /** The number of due targets that the scan has not received yet. */
    waiting: (): number => due.length - head,

    /** The time since the first target in the queue became due, in milliseconds. 0 if the queue is empty. */
    lateMs: (): number => (head === due.length ? 0 : Math.max(0, clock() - since[head]!)),

    /** Schedules the next check of a target. If a check is already scheduled, the new check replaces it. */
    put: (target: A, atMs: number): void => {
      wheel.put(target, atMs)
      if (atMs < wakesAt) wake()
    },

    /**
     * Calls `isPaused` again. If the schedule is no longer paused and the scan is waiting for a target, the scan receives the next due
     * target.
     */
    resume: deliver,
    close,

    [Symbol.asyncIterator]: (): Steps<A> => ({
      [nextIfAvailable]: take,
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
