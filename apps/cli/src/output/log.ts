/** The log of a daemon on standard error: a line of text or JSON per event. If the log cannot be written, the daemon continues. */
import { jsonLine } from "./json.ts"
import type { Surface } from "./output.ts"
import { safe } from "./text.ts"
import { plural } from "../view/quantities.ts"

export type LogFormat = "text" | "json"

export type LogLevel = "info" | "warn" | "error"

/** Writes a line: the event's name, a message, and additional fields for JSON. */
export type Log = (level: LogLevel, event: string, message: string, fields?: Readonly<Record<string, unknown>>) => void

export const makeLog = (err: Surface, format: LogFormat) => {
  const paints = { info: err.palette.faint, warn: err.palette.warning, error: err.palette.bad }
  const formatLine = (...[level, event, message, fields]: Parameters<Log>): string =>
    format === "json"
      ? `${jsonLine({ time: new Date().toISOString(), level, event, message, ...fields })}\n`
      : `${paints[level](level)} ${safe(message)}\n`
  const writer = logWriter(err.put, (lost) =>
    formatLine("warn", "log-gap", `${plural(lost, "line")} of this log could not be written`, { lost })
  )
  const log: Log = (...line) => writer.write(formatLine(...line))
  return { log, writer }
}

/**
 * Writes complete lines, or counts them as lost. `put` writes as many bytes as possible without waiting and returns their number; it throws
 * if it can write no byte. `gapLine` formats the line about lost lines.
 */
export const logWriter = (put: (bytes: Uint8Array) => number, gapLine: (lost: number) => string) => {
  let lost = 0
  let gap = 0
  // The rest of a line of which only the beginning was written.
  let rest: Uint8Array = Buffer.of()
  const takes = (line: string): boolean => {
    try {
      if (rest.length > 0) rest = rest.subarray(put(rest))
      if (rest.length > 0) return false
      const bytes = Buffer.from(line)
      rest = bytes.subarray(put(bytes))
      return true
    } catch {
      return false
    }
  }
  /** Reports the lost lines, if lines were lost and the log can be written again. */
  const resume = (): void => {
    if (gap > 0 && takes(gapLine(gap))) gap = 0
  }
  const write = (line: string): void => {
    resume()
    if (gap === 0 && takes(line)) return
    lost++
    gap++
  }
  return { lost: () => lost, resume, write }
}
