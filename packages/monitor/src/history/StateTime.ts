/**
 * Time that a target spent in each state, in milliseconds. Availability is computed from these sums and from nothing else, in the store,
 * the API, badges and pages alike. Time that is in none of the sums was not monitored: it is neither up nor down.
 *
 * @module
 */
import { type Packing, putNumber } from "./packedBucket.ts"

/** A state that time is counted for. Muted time counts neither for nor against availability, whatever the target did meanwhile. */
export type TimedState = "up" | "down" | "muted"

/** Milliseconds in each state. */
export interface StateTime {
  up: number
  down: number
  muted: number
}

/** The states, in the order in which they are stored. */
export const TIMED_STATES: ReadonlyArray<TimedState> = ["up", "down", "muted"]

/** No time at all. */
export const noTime = (): StateTime => ({ up: 0, down: 0, muted: 0 })

/** Adds to the sums of one period those of another. */
export const addTime = (sums: StateTime, more: Readonly<StateTime>): void => {
  for (const state of TIMED_STATES) sums[state] += more[state]
}

/** The share of the monitored time in which the target was up; `undefined` if it was not monitored at all. */
export const computeAvailability = ({ down, up }: Readonly<StateTime>): number | undefined =>
  up + down === 0 ? undefined : up / (up + down)

/** A bucket without time is 0; one that is of a single state throughout is the number of that state, from 1 on. */
const MIXED = TIMED_STATES.length + 1

/** Appends the time of a bucket of a given length. */
export const packTime = (time: Readonly<StateTime> | undefined, wholeMs: number, packing: Packing): void => {
  if (time === undefined || (time.up === 0 && time.down === 0 && time.muted === 0)) return putNumber(packing, 0)
  const whole = TIMED_STATES.findIndex((state) => time[state] === wholeMs)
  if (whole >= 0) return putNumber(packing, whole + 1)
  putNumber(packing, MIXED)
  for (const state of TIMED_STATES) putNumber(packing, time[state])
}

/** Reads what {@link packTime} wrote; `next` returns number after number, and zeroes after the last one. */
export const unpackTime = (wholeMs: number, next: () => number): StateTime | undefined => {
  const head = next()
  if (head === 0 || head > MIXED) return undefined
  if (head === MIXED) return { up: next(), down: next(), muted: next() }
  return { ...noTime(), [TIMED_STATES[head - 1]!]: wholeMs }
}
