/** Formats numbers, times and states. */
import type { TargetRow, Uptime } from "@sourcewire/monitor/api"
import { formatShortDay, formatTime } from "@sourcewire/ui/times"

/** A number with a space between groups of three digits. If the number is `undefined`, the text is a dash. */
export const count = (value: number | undefined): string =>
  value === undefined ? "–" : value.toLocaleString("en").replaceAll(",", "\u202f")

export const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? "" : "s"}`

export const milliseconds = (value: number | undefined): string =>
  value === undefined ? "" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

const UNITS: ReadonlyArray<readonly [seconds: number, unit: string]> = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"]
]

/** A duration in the largest unit that is not longer than the duration, rounded down, such as `3 h`. */
export const formatLength = (seconds: number): string => {
  const unit = UNITS.find(([size]) => seconds >= size)
  return unit === undefined ? `${Math.max(0, Math.floor(seconds))} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`
}

/**
 * Formats a duration with its largest unit and the next smaller unit, such as `3 h 20 min`. If the duration is shorter than a minute, the
 * text contains only seconds.
 */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60
  ]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

/** The time that has passed since `at`. */
export const since = (at: number): string => formatLength((Date.now() - at) / 1000)

/** A date and time in the reader's time zone. */
export const formatDate = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format

export const formatDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format

/** Formats a point in time: the time of day, with the date before it if the date is not today. */
export const formatMoment = (at: number): string => {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return isToday ? formatTime(at) : `${formatShortDay(at)}, ${formatTime(at)}`
}

/**
 * A percentage with two decimals, except `0 %` and `100 %`. The value is rounded down, so that the uptime of a period with an outage is
 * never shown as `100 %`.
 */
export const percent = (value: number): string =>
  `${value === 100 || value === 0 ? value : (Math.floor(Number((value * 100).toFixed(6))) / 100).toFixed(2)} %`

/**
 * The uptime of a period in percent, or the reason why there is no uptime. While the uptime is not loaded (`undefined`), the text is empty.
 */
export const formatUptime = (uptime: Uptime | undefined): string => {
  if (uptime === undefined) return ""
  if (uptime.share !== undefined) return percent(100 * uptime.share)
  return uptime.mutedMs > 0 ? "muted" : "not monitored"
}

/** The reader's time zone. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Adds invisible characters around a text of a server, so that the text does not change the direction of other text. The page uses this
 * function where markup is not possible, for example in titles, labels and options.
 */
export const isolated = (text: string): string => `\u2068${text}\u2069`

/** The name of a target, or the address of the target if the name is unknown or empty. */
export const displayName = ({ address, name }: Pick<TargetRow, "address" | "name">): string =>
  name === undefined || name === "" ? address : name

/** The periods for which the page can show the uptime, with their titles. */
export const PERIODS = { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" } as const

/** The state of a server as a word. For a server that was not queried yet, the word is "waiting". */
export const formatState = ({ askedAt, muted, state }: Pick<TargetRow, "askedAt" | "muted" | "state">): string => {
  if (muted !== undefined) return muted.by === "maintenance" ? "maintenance" : "muted"
  return state === "unknown" && askedAt === undefined ? "waiting" : state
}
