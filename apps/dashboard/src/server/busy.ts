/** Computes the average number of players by weekday and hour. */
import type { Sample } from "@sourcewire/monitor/api"

/** An hour of a weekday. The `weekday` of Monday is 0. */
export interface BusyHour {
  readonly weekday: number
  readonly hour: number
  /** The average number of players. `undefined` if no sample of this hour contains a number of players. */
  readonly mean: number | undefined
  /** The average number of players in this hour, divided by the average number of players in the busiest hour. */
  readonly share: number
}

const DAY_HOURS = 24
const WEEK_DAYS = 7

/**
 * Returns the hours of the week in the local time zone, grouped by weekday, and the busiest of these hours. `isEnough` is true if at least
 * 24 of the samples contain a number of players.
 */
export const busyHours = (samples: ReadonlyArray<Sample>) => {
  const sums = Array.from({ length: WEEK_DAYS * DAY_HOURS }, () => ({ sum: 0, count: 0 }))
  let known = 0
  for (const { at, players } of samples) {
    if (players === undefined) continue
    const date = new Date(at)
    const one = sums[((date.getDay() + WEEK_DAYS - 1) % WEEK_DAYS) * DAY_HOURS + date.getHours()]!
    one.sum += players.mean
    one.count++
    known++
  }
  const most = Math.max(0, ...sums.map(({ count, sum }) => (count === 0 ? 0 : sum / count)))
  const all = sums.map(({ count, sum }, i): BusyHour => {
    const mean = count === 0 ? undefined : sum / count
    const share = most === 0 ? 0 : (mean ?? 0) / most
    return { weekday: Math.floor(i / DAY_HOURS), hour: i % DAY_HOURS, mean, share }
  })
  return {
    hours: Array.from({ length: WEEK_DAYS }, (_, day) => all.slice(day * DAY_HOURS, (day + 1) * DAY_HOURS)),
    busiest: most === 0 ? undefined : all.find(({ share }) => share === 1),
    isEnough: known >= DAY_HOURS
  }
}
