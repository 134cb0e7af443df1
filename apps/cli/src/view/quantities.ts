/** Formats numbers and quantities for people. */
import type { MeasuredRoundTrip } from "@sourcewire/core/engine"

/**
 * Seconds as `h:mm:ss`, or as `m:ss` for less than an hour. An invalid time is shown as a dash, for example the time −1 that servers send
 * for bots.
 */
export const duration = (seconds: number): string => {
  if (!Number.isFinite(seconds) || seconds < 0) return "–"
  const whole = Math.floor(seconds)
  const two = (value: number): string => String(value).padStart(2, "0")
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Milliseconds with about three significant digits. */
export const milliseconds = (ms: number): string =>
  `${ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`

/** A round-trip time. An ambiguous time has the prefix ≈. */
export const roundTrip = ({ rttAmbiguous, rttMs }: MeasuredRoundTrip): string =>
  `${rttAmbiguous === true ? "≈" : ""}${milliseconds(rttMs)}`

export const roundTripJson = ({ rttAmbiguous, rttMs }: MeasuredRoundTrip): MeasuredRoundTrip => ({
  rttMs: roundMs(rttMs),
  ...(rttAmbiguous === undefined ? {} : { rttAmbiguous })
})

/** Milliseconds for JSON, rounded to microseconds. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000

export const byteSize = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/**
 * A number with separators, for example `12,345`. The function does not use `toLocaleString`, because loading the locale data would take
 * longer than a query.
 */
export const counted = (count: number): string => String(count).replaceAll(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",")

/** A number with a noun, for example `1 player` or `2,000 players`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${counted(count)} ${count === 1 ? one : many}`

/** Removes `false` and `undefined` from a list of texts. */
export const some = (...texts: ReadonlyArray<string | false | undefined>): ReadonlyArray<string> =>
  texts.filter((text) => typeof text === "string")

/** Returns the full part and the empty part of a bar. The full part covers the share `value / max` of the columns of the bar. */
export const bar = (value: number, max: number, columns = 20): readonly [full: string, empty: string] => {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  // If the value is above 0, at least one column is full. If the value is below the maximum, at least one column is empty.
  const full = Math.min(share < 1 ? columns - 1 : columns, Math.max(share > 0 ? 1 : 0, Math.round(share * columns)))
  return ["█".repeat(full), "░".repeat(columns - full)]
}
