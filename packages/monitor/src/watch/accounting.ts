/**
 * Assigns the time between two checks of a target to the states `up` and `down`. The functions are pure: they use no clock and no store.
 * These rules apply:
 *
 * - If the target was down after the previous check, the time since the previous check is assigned to `down`.
 * - If the previous check was successful, the time since the previous check is assigned to `up`. If the current check fails, only the time
 *   until the current check began is assigned.
 * - After a failed check, the time is not assigned until the target replies or its state becomes `down`. If the state becomes `down`, the
 *   time since the first failed check is assigned to `down`. If the target replies before its state becomes `down`, the failures are
 *   treated as packet loss, and this time is assigned to `up`.
 * - If the pause between two checks is longer than about two intervals, the monitor was not running or had no network. In this case, only
 *   one interval is assigned to a state, and the rest of the pause counts as time without monitoring.
 *
 * @module
 */
import { HourSamples, HOUR_MS, startOfHour } from "../history/HourSamples.ts"
import type { Group } from "../config/Config.ts"
import type { TimedState } from "../history/StateTime.ts"
import type { MutedTime } from "./Mutes.ts"
import { type Known, chooseInterval, type Watched } from "./Watched.ts"

/**
 * Returns the maximum pause between two checks, in milliseconds. If a pause is longer than this maximum, the target was not monitored
 * during a part of the pause, and this part is not assigned to a state.
 */
export const longestPause = (group: Group, known: Pick<Known, "state">): number =>
  2 * chooseInterval(group, known) + 3 * group.querySettings.timeoutMs

/**
 * Returns the end of the period that a check at `at` assigns to a state. If the pause before this check was longer than `longestPause`, the
 * period ends one interval after the previous check. Otherwise, the period ends at `at`.
 */
const heldUntil = ({ group, known }: Watched, at: number): number => {
  const queriedAt = known.queriedAt ?? at
  const interval = chooseInterval(group, known)
  return at - queriedAt <= longestPause(group, known) ? at : queriedAt + interval
}

/**
 * Returns the samples of the requested hour in `open`. If the requested hour is later than all hours in `open`, the function first adds the
 * requested hour to `open`. If the requested hour is earlier and missing in `open`, the function returns `undefined`: another instance has
 * already written the samples of this hour.
 */
const hourFor = (open: Array<HourSamples>, hour: number): HourSamples | undefined => {
  const found = open.find((one) => one.hour === hour)
  if (found !== undefined || (open.length > 0 && hour < open.at(-1)!.hour)) return found
  const added = new HourSamples(hour)
  open.push(added)
  return added
}

/** Adds a period to the time in a state. The parts of the period in which the target was muted are added to the muted time instead. */
const count = (
  open: Array<HourSamples>,
  muted: ReadonlyArray<readonly [fromMs: number, toMs: number]>,
  state: TimedState,
  from: number,
  to: number
): void => {
  const add = (state: TimedState, from: number, to: number): void => {
    for (let hour = startOfHour(from); hour < to; hour += HOUR_MS) hourFor(open, hour)?.addTime(state, from, to)
  }
  let at = from
  for (const [start, end] of muted) {
    if (start >= to || end <= at) continue
    if (start > at) add(state, at, start)
    add("muted", Math.max(at, start), Math.min(to, end))
    at = Math.min(to, end)
  }
  if (at < to) add(state, at, to)
}

/** The parts of a check's outcome that {@link account} uses to assign the time before the check to states. */
export interface Elapsed {
  readonly at: number
  readonly isAnswered: boolean
  /** Whether the target is down after this check. */
  readonly isDown: boolean
  /** When the first check of the current series of failed checks began; `undefined` if this check was successful. */
  readonly failingAt: number | undefined
}

/**
 * Adds the time between the previous and the current check of a target to the hourly samples. Returns the samples of the hours that ended
 * before the current check. When `account` is called, `target.known` must still contain the state before the current check. After the call,
 * `target.known.hour` contains the samples of the hour of the current check.
 */
export const account = (
  target: Watched,
  { at, failingAt, isAnswered, isDown }: Elapsed,
  mutedTime: MutedTime
): ReadonlyArray<HourSamples> => {
  const { known } = target
  const open = [...(known.earlier ?? []), ...(known.hour === undefined ? [] : [known.hour])]
  if (known.hour !== undefined && at < known.hour.hour - HOUR_MS) {
    // The clock was more than an hour ahead and was set back. The samples with wrong times are returned without changes, and new samples
    // begin at the correct time.
    known.hour = new HourSamples(startOfHour(at))
    known.earlier = undefined
    return open
  }
  const wasOpen = known.state !== "down" && known.failures > 0
  const from = (wasOpen ? known.failingAt : known.queriedAt) ?? at
  const held = heldUntil(target, at)
  if (held > from) {
    const muted = mutedTime(target, from, held)
    if (isAnswered || known.state === "down") count(open, muted, known.state === "down" ? "down" : "up", from, held)
    else {
      const failing = Math.max(from, Math.min(failingAt ?? held, held))
      count(open, muted, "up", from, failing)
      if (isDown) count(open, muted, "down", failing, held)
    }
  }
  known.hour = hourFor(open, startOfHour(at)) ?? known.hour!
  const current = known.hour
  const settledUntil = isAnswered || isDown ? at : (failingAt ?? at)
  const over = open.filter((one) => one.hour < current.hour)
  const unsettled = over.filter((one) => one.hour + HOUR_MS > settledUntil)
  known.earlier = unsettled.length === 0 ? undefined : unsettled
  return over
}
