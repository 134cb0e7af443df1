/** Writes the log of a daemon to standard error, one line of text or JSON per event. If the log cannot be written, the daemon continues. */
import { jsonLine } from "./json.ts"
import type { Surface } from "./output.ts"
import { safe } from "./text.ts"
import { plural } from "../view/quantities.ts"

export type LogFormat = "text" | "json"

export type LogLevel = "info" | "warn" | "error"

/**
 * Writes a line to the log. A text line contains only the level and the message. A JSON line contains the time, the level, the event's
 * name, the message and all properties of `fields`.
 */
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
 * Creates a writer, which writes complete lines and counts the lines that cannot be written. `put` writes as many bytes as possible without
 * waiting, and returns the number of written bytes. `put` throws if it cannot write any bytes. `gapLine` formats the line that reports the
 * number of lost lines.
 */
export const logWriter = (put: (bytes: Uint8Array) => number, gapLine: (lost: number) => string) => {
  let lost = 0
  let gap = 0
  // If only the beginning of a line was written, `rest` contains the bytes of this line that were not written. Otherwise, `rest` is empty.
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
  /**
   * Tries to write a line that reports how many lines were lost since the previous report. If no lines were lost, this function does
   * nothing.
   */
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
