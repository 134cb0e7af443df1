/**
 * How long the monitor waits after a failed reading of a console. Servers ban addresses after a few wrong passwords. By default, Source
 * does so after five wrong passwords within 30 seconds, or ten in total.
 */
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"

/** The pauses after a refused password. After the last of them, only another password file ends the wait. */
const AFTER_REFUSAL = [
  [HOUR_MS, "The monitor tries again in an hour, or when the password file changes."],
  [DAY_MS, "The monitor tries again in a day, or when the password file changes."],
  [7 * DAY_MS, "The monitor tries again in a week, or when the password file changes."]
] as const
const NEVER = [Number.POSITIVE_INFINITY, "The monitor tries again when the password file changes."] as const

/** The pause after some refusals in a row, and the sentence about it. */
export const pauseAfterRefusal = (refusals: number): readonly [ms: number, sentence: string] =>
  AFTER_REFUSAL[refusals - 1] ?? NEVER

/** A server that closes connections without a reply has banned the address, or has too many connections. */
export const BANNED_MS = HOUR_MS

const LONGEST_MS = 600_000

/** The pause after other failures in a row: an interval, which doubles. */
export const pauseAfter = (failures: number, intervalMs: number): number =>
  Math.min(Math.max(LONGEST_MS, intervalMs), intervalMs * 2 ** (failures - 1))
