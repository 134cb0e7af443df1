/** Formats the times of datagrams. */

/** The last time that a `Date` can represent, in ms since 1970. */
const MAX_DATE_MS = 8_640_000_000_000_000n

/**
 * Formats a time in UTC with microseconds, for example `2026-11-21T08:15:00.123456Z`. Returns `undefined` if the time is unknown, before
 * 1970, or too late for a `Date`.
 */
export const isoTime = (timeNs: bigint | undefined): string | undefined => {
  if (timeNs === undefined) return undefined
  const timeMs = timeNs / 1_000_000n
  if (timeNs < 0n || timeMs > MAX_DATE_MS) return undefined
  const seconds = new Date(Number(timeMs)).toISOString().slice(0, -"000Z".length)
  return `${seconds}${String((timeNs / 1000n) % 1_000_000n).padStart(6, "0")}Z`
}
