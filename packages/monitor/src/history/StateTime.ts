/**
 * The time that a target spent in each state during a period, in milliseconds. The monitor computes all availabilities from these times,
 * and from nothing else. If the sum of these times is smaller than the length of the period, the target was not monitored during the rest
 * of the period. Time without monitoring does not affect the availability.
 *
 * @module
 */
import { type Packing, putNumber } from "./packedBucket.ts"

/** A state whose time is measured. Time in the state `muted` does not affect the availability, even if the target was down. */
export type TimedState = "up" | "down" | "muted"

/** The time in each state, in milliseconds. */
export interface StateTime {
  up: number
  down: number
  muted: number
}

/** The measured states, in the order in which their times are stored. */
export const TIMED_STATES: ReadonlyArray<TimedState> = ["up", "down", "muted"]

export const noTime = (): StateTime => ({ up: 0, down: 0, muted: 0 })

/** Adds the times in `more` to the times in `sums`. */
export const addTime = (sums: StateTime, more: Readonly<StateTime>): void => {
  for (const state of TIMED_STATES) sums[state] += more[state]
}

/**
 * Computes the availability, which is the time up divided by the sum of the time up and the time down. If this sum is 0, the result is
 * `undefined`.
 */
export const computeAvailability = ({ down, up }: Readonly<StateTime>): number | undefined =>
  up + down === 0 ? undefined : up / (up + down)

/**
 * The code of a bucket in which the target had several states, or was monitored only for a part of the bucket. After this code, the packed
 * bucket contains three numbers: the time up, the time down and the muted time. After any other code, there are no numbers: 0 means that
 * the target was not monitored during the bucket. 1 to 3 mean that the target was up, down or muted for the whole bucket.
 */
const MIXED = TIMED_STATES.length + 1

/** Appends the times of a bucket to `packing`. `wholeMs` is the length of the bucket. */
export const packTime = (time: Readonly<StateTime> | undefined, wholeMs: number, packing: Packing): void => {
  if (time === undefined || (time.up === 0 && time.down === 0 && time.muted === 0)) return putNumber(packing, 0)
  const whole = TIMED_STATES.findIndex((state) => time[state] === wholeMs)
  if (whole >= 0) return putNumber(packing, whole + 1)
  putNumber(packing, MIXED)
  for (const state of TIMED_STATES) putNumber(packing, time[state])
}

/** Reads the times of a bucket that {@link packTime} has appended. `next` returns one number per call, and 0 after the last number. */
export const unpackTime = (wholeMs: number, next: () => number): StateTime | undefined => {
  const head = next()
  if (head === 0 || head > MIXED) return undefined
  if (head === MIXED) return { up: next(), down: next(), muted: next() }
  return { ...noTime(), [TIMED_STATES[head - 1]!]: wholeMs }
}
