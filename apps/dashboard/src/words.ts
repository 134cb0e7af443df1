/** Numbers, times and states for people. */
import type { TargetRow } from "@sourcewire/monitor/api"

/** A number with its thousands apart; a dash where there is none. */
export const count = (value: number | undefined): string =>
  value === undefined ? "–" : value.toLocaleString("en").replaceAll(",", "\u202f")

export const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? "" : "s"}`

export const milliseconds = (value: number | undefined): string =>
  value === undefined ? "" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

const UNITS: ReadonlyArray<readonly [seconds: number, unit: string]> = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"]
]

/** A length of time by its largest unit. */
export const lengthOf = (seconds: number): string => {
  const unit = UNITS.find(([size]) => seconds >= size)
  return unit === undefined ? `${Math.max(0, Math.floor(seconds))} s` : `${Math.floor(seconds / unit[0])} ${unit[1]}`
}

/** How long a moment is past. */
export const since = (at: number): string => lengthOf((Date.now() - at) / 1000)

/** A moment, in the reader's own time. */
export const dateOf = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format

export const dayOf = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" }).format

/** The day of a moment, where there is little room. */
export const shortDayOf = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" }).format

export const timeOf = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
  .format

/** The reader's time zone. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What a target is called: as it calls itself, or by its address. */
export const nameOf = ({ address, name }: Pick<TargetRow, "address" | "name">): string =>
  name === undefined || name === "" ? address : name

/** Its state in a word: one that was never asked waits for its turn. */
export const stateOf = ({ askedAt, state }: TargetRow): string =>
  state === "unknown" && askedAt === undefined ? "waiting" : state
