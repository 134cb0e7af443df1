/**
 * How long the monitor waits after a failed reading of a console. The pauses are long because servers ban an address that has sent a few
 * wrong passwords. By default, a Source server bans an address after five wrong passwords within 30 seconds, or after ten wrong passwords
 * in total.
 */
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"

/**
 * The pauses after the first, the second and the third refusal of a password. After the fourth refusal, the monitor waits until the
 * password file changes.
 */
const AFTER_REFUSAL = [
  [HOUR_MS, "The monitor tries again in an hour, or when the password file changes."],
  [DAY_MS, "The monitor tries again in a day, or when the password file changes."],
  [7 * DAY_MS, "The monitor tries again in a week, or when the password file changes."]
] as const
const NEVER = [Number.POSITIVE_INFINITY, "The monitor tries again when the password file changes."] as const

/** Returns the pause after the last of `refusals` consecutive refusals, and a sentence that explains the pause in the log. */
export const pauseAfterRefusal = (refusals: number): readonly [ms: number, sentence: string] =>
  AFTER_REFUSAL[refusals - 1] ?? NEVER

/**
 * The pause after a server has closed the connection without a reply. A server does this if it has banned the address of the monitor, or if
 * it has too many connections.
 */
export const BANNED_MS = HOUR_MS

const LONGEST_MS = 600_000

/**
 * Returns the pause after the last of `failures` consecutive failures. `failures` does not include refusals of the password. The first
 * pause is `intervalMs`. Each further failure doubles the pause, up to {@link LONGEST_MS}. If `intervalMs` is longer than this limit, each
 * pause is `intervalMs`.
 */
export const pauseAfter = (failures: number, intervalMs: number): number =>
  Math.min(Math.max(LONGEST_MS, intervalMs), intervalMs * 2 ** (failures - 1))
