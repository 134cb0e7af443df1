/** Converts log messages of the cluster engine to events of the monitor. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import type { MonitorEvent } from "../watch/Monitor.ts"

/** After an event, further events with the same text are not reported for this time. */
const QUIET_MS = 30_000

/** If an error contains more nested errors than this number, the search for the innermost error stops at this depth. */
const DEEPEST = 10

/**
 * Returns the message of the innermost error of a cause. Database drivers wrap the original error in several other errors, whose messages
 * do not help users.
 */
const innermostReason = (cause: Cause.Cause<unknown>): string => {
  let reason: unknown = Cause.squash(cause)
  for (let depth = 0; depth < DEEPEST; depth++) {
    const { cause: inner, reason: other } = (reason ?? {}) as { readonly cause?: unknown; readonly reason?: unknown }
    const deeper = other ?? inner
    if (typeof deeper !== "object" || deeper === null) break
    reason = deeper
  }
  return reason instanceof Error && reason.message !== "" ? reason.message : String(reason)
}

/**
 * Reports warnings and errors of the engine. Because the engine repeats its messages, these rules apply:
 *
 * - The same message is reported at most once in 30 seconds.
 * - A warning that contains no error is reported only when it occurs a second time within 30 seconds. Most warnings without an error are
 *   about temporary states, for example that no other runner has started yet.
 * - Interruptions are not reported, because they occur whenever the program stops.
 */
export const engineLog = (onEvent: (event: MonitorEvent) => void) => {
  const loggedAt = new Map<string, number>()
  const seen = new Map<string, number>()
  return Logger.layer([
    Logger.make(({ cause, date, logLevel, message }) => {
      if (logLevel !== "Warn" && logLevel !== "Error" && logLevel !== "Fatal") return
      const hasCause = cause.reasons.length > 0
      if (hasCause && Cause.hasInterruptsOnly(cause)) return
      const at = date.getTime()
      const sentence = Arr.ensure(message)
        .filter((part) => typeof part === "string")
        .join(" ")
      const text = hasCause ? `${sentence}: ${innermostReason(cause)}` : sentence
      if (at - (loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
      if (!hasCause && logLevel === "Warn") {
        const isSecond = at - (seen.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET_MS
        seen.set(text, at)
        if (!isSecond) return
      }
      loggedAt.set(text, at)
      onEvent({ level: logLevel === "Warn" ? "warn" : "error", event: "fleet", message: text })
    })
  ])
}
