/**
 * Time that a target spent in each state, in milliseconds. The store, the API, badges and pages compute availability only from these times.
 * If the sum of these times is smaller than the length of a period, the target was not monitored during the rest of the period. This rest
 * does not affect the availability.
 *
 * @module
 */
import { type Packing, putNumber } from "./packedBucket.ts"

/** A state whose time is measured. Muted time does not affect availability, even if the target was down. */
export type TimedState = "up" | "down" | "muted"

/** Milliseconds in each state. */
export interface StateTime {
  up: number
  down: number
  muted: number
}

/** The states, in the order in which they are stored. */
export const TIMED_STATES: ReadonlyArray<TimedState> = ["up", "down", "muted"]

export const noTime = (): StateTime => ({ up: 0, down: 0, muted: 0 })

/** Adds the times of a period to the sums. */
export const addTime = (sums: StateTime, more: Readonly<StateTime>): void => {
  for (const state of TIMED_STATES) sums[state] += more[state]
}

/** The availability: the time up, divided by the sum of the time up and the time down. `undefined` if this sum is 0. */
export const computeAvailability = ({ down, up }: Readonly<StateTime>): number | undefined =>
  up + down === 0 ? undefined : up / (up + down)

/**
 * The code of a bucket with more than one state, or with time that was not monitored. Code 0 means that the target was not monitored in the
 * bucket. Each code between 0 and this code means one state for the whole bucket, in the order of {@link TIMED_STATES}.
 */
const MIXED = TIMED_STATES.length + 1

/** Appends the time in each state of a bucket. `wholeMs` is the length of the bucket. */
export const packTime = (time: Readonly<StateTime> | undefined, wholeMs: number, packing: Packing): void => {
  if (time === undefined || (time.up === 0 && time.down === 0 && time.muted === 0)) return putNumber(packing, 0)
  const whole = TIMED_STATES.findIndex((state) => time[state] === wholeMs)
  if (whole >= 0) return putNumber(packing, whole + 1)
  putNumber(packing, MIXED)
  for (const state of TIMED_STATES) putNumber(packing, time[state])
}

/** Unpacks the times that {@link packTime} appended. `next` returns one number per call, and 0 after the last number. */
export const unpackTime = (wholeMs: number, next: () => number): StateTime | undefined => {
  const head = next()
  if (head === 0 || head > MIXED) return undefined
  if (head === MIXED) return { up: next(), down: next(), muted: next() }
  return { ...noTime(), [TIMED_STATES[head - 1]!]: wholeMs }
}
