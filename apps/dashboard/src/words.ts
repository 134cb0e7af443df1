/** Numbers and times for people. */

/** A number with its thousands apart. */
export const count = (value: number): string => value.toLocaleString("en").replaceAll(",", "\u202f")

/** A round trip. */
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

/** How long ago a moment was. */
export const ago = (at: number): string => `${lengthOf((Date.now() - at) / 1000)} ago`

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

/** A moment, in the reader's own time. */
export const dateOf = (at: number): string => moment.format(at)
