/**
 * Maintenance windows: times at which servers of a group may be down. A window either recurs at certain times on certain days of the week,
 * or is the time between two dates.
 *
 * @module
 */
import * as Schema from "effect/Schema"

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

const TimeOfDay = Schema.String.check(
  Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'expected a time of day as in "04:30"' })
)
const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== ""
  } catch {
    return false
  }
}
const TimeZone = Schema.String.check(
  Schema.makeFilter((zone: string) => (isZone(zone) ? undefined : 'expected a time zone as in "Europe/Berlin"'))
)
const DateText = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
      ? undefined
      : 'expected a date as in "2026-11-23T04:00:00Z"'
  )
)

/** A window in the configuration file. */
export const MaintenanceWindow = Schema.Union([
  Schema.Struct({
    /** Days on which the window begins (default: every day). */
    days: Schema.optionalKey(Schema.NonEmptyArray(Schema.Literals(DAYS))),
    /** Times of day. If the end is earlier than the start, the window ends on the next day. */
    start: TimeOfDay,
    end: TimeOfDay,
    /** The time zone of the times (default: UTC). */
    timeZone: Schema.optionalKey(TimeZone)
  }),
  /** A window that does not recur. */
  Schema.Struct({ from: DateText, to: DateText })
])
export type MaintenanceWindow = typeof MaintenanceWindow.Type

const MINUTE_MS = 60_000
const MINUTES_OF_DAY = 1440

/** Returns a function that computes the day of the week (0 is Monday) and the minute of the day in a time zone. */
const clockIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })
  return (atMs: number): readonly [day: number, minute: number] => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const day = DAYS.indexOf(parts["weekday"]!.toLowerCase() as (typeof DAYS)[number])
    return [day, Number(parts["hour"]) * 60 + Number(parts["minute"])]
  }
}

const parseMinute = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns a function that reports whether `window` is open at a given time. */
const makePredicate = (window: MaintenanceWindow): ((atMs: number) => boolean) => {
  if ("from" in window) {
    const [from, to] = [Date.parse(window.from), Date.parse(window.to)]
    return (atMs) => atMs >= from && atMs < to
  }
  const clock = clockIn(window.timeZone ?? "UTC")
  const [start, end] = [parseMinute(window.start), parseMinute(window.end)]
  const length = (end - start + MINUTES_OF_DAY) % MINUTES_OF_DAY
  const days: ReadonlySet<number> = new Set((window.days ?? DAYS).map((day) => DAYS.indexOf(day)))
  return (atMs) => {
    const [day, minute] = clock(atMs)
    const since = minute - start
    // A window that began yesterday may still be open.
    return since >= 0 ? since < length && days.has(day) : since + MINUTES_OF_DAY < length && days.has((day + 6) % 7)
  }
}

/** Maximum number of minutes for which `isOpen` caches the result. A whole day has 1440 minutes, so that its results fit into the cache. */
const CACHED_MINUTES = 2000

/** The maintenance windows of a group. A window begins and ends at a full minute. */
export class Maintenance {
  private readonly predicates: ReadonlyArray<(atMs: number) => boolean>
  /**
   * Cached results of `isOpen`, by minute. The computation of a local time is slow, and `isOpen` is called for each target of the group in
   * the same minute.
   */
  private readonly minutes = new Map<number, boolean>()

  constructor(windows: ReadonlyArray<MaintenanceWindow>) {
    this.predicates = windows.map(makePredicate)
  }

  /** Whether the group has no windows. */
  get isEmpty(): boolean {
    return this.predicates.length === 0
  }

  isOpen(atMs: number): boolean {
    if (this.isEmpty) return false
    const minute = Math.floor(atMs / MINUTE_MS)
    const known = this.minutes.get(minute)
    if (known !== undefined) return known
    const isOpen = this.predicates.some((predicate) => predicate(minute * MINUTE_MS))
    if (this.minutes.size >= CACHED_MINUTES) this.minutes.clear()
    this.minutes.set(minute, isOpen)
    return isOpen
  }

  /**
   * Returns the start of the first minute after `atMs` in which no window is open. Call this method only if a window is open at `atMs`. If
   * at least one window is open in each minute of the following week, the result is `undefined`.
   */
  endsAt(atMs: number): number | undefined {
    for (let minute = Math.floor(atMs / MINUTE_MS) + 1, left = 7 * MINUTES_OF_DAY; left > 0; minute++, left--) {
      if (!this.predicates.some((predicate) => predicate(minute * MINUTE_MS))) return minute * MINUTE_MS
    }
    return undefined
  }

  /** The parts of a period during which at least one window is open. */
  within(fromMs: number, toMs: number): ReadonlyArray<readonly [fromMs: number, toMs: number]> {
    if (this.isEmpty) return []
    const found: Array<[number, number]> = []
    for (let at = fromMs; at < toMs;) {
      const next = Math.min(toMs, (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS)
      if (this.isOpen(at)) {
        const last = found.at(-1)
        if (last?.[1] === at) last[1] = next
        else found.push([at, next])
      }
      at = next
    }
    return found
  }
}
