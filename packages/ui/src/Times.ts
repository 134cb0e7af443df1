/** Formats times in the reader's time zone. */

const DAY_SECONDS = 86_400
const MINUTE_SECONDS = 60

/** Formats the day and the month of a time, without the year. The time is in milliseconds since 1970. */
export const formatShortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" }).format

const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const

export const formatTime = new Intl.DateTimeFormat(undefined, TIME).format

const formatSeconds = new Intl.DateTimeFormat(undefined, { ...TIME, second: "2-digit" }).format

/**
 * Returns the label of a tick on a time axis. If the tick is at midnight, or if the ticks are at least a day apart, the label is the day.
 * Otherwise, it is the time of day. `seconds` is the time of the tick, and `step` is the time between two ticks, both in seconds.
 */
export const formatTick = (seconds: number, step: number): string => {
  const date = new Date(seconds * 1000)
  const isDay = step >= DAY_SECONDS || (date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0)
  if (isDay) return formatShortDay(seconds * 1000)
  return step < MINUTE_SECONDS ? formatSeconds(seconds * 1000) : formatTime(seconds * 1000)
}

/**
 * Formats the time of a plotted value. `apart` is the time between two adjacent values. If adjacent values are less than a minute apart,
 * the text is the time of day with seconds. Otherwise, the text is the day and the time of day without seconds. Both parameters are in
 * seconds.
 */
export const formatPointed = (seconds: number, apart: number): string =>
  apart < MINUTE_SECONDS
    ? formatSeconds(seconds * 1000)
    : `${formatShortDay(seconds * 1000)}, ${formatTime(seconds * 1000)}`
