/**
 * The log of what runs for weeks, on standard error: a line per event, for people or as JSON for machines. It outlives the place where it
 * goes: a disk that is full, a reader that went away or has stopped reading.
 */
import { jsonLine } from "./json.ts"
import type { Surface } from "./output.ts"
import { safe } from "./text.ts"
import { plural } from "../view/quantities.ts"

export type LogFormat = "text" | "json"

export type LogLevel = "info" | "warn" | "error"

/** Writes a line: what happened in a word, a sentence about it, and what a machine wants to know besides. */
export type Log = (level: LogLevel, event: string, message: string, fields?: Readonly<Record<string, unknown>>) => void

export const makeLog = (err: Surface, format: LogFormat) => {
  const paints = { info: err.palette.faint, warn: err.palette.warning, error: err.palette.bad }
  const lineOf = (...[level, event, message, fields]: Parameters<Log>): string =>
    format === "json"
      ? `${jsonLine({ time: new Date().toISOString(), level, event, message, ...fields })}\n`
      : `${paints[level](level)} ${safe(message)}\n`
  const writer = logWriter(err.put, (lost) =>
    lineOf("warn", "log-gap", `${plural(lost, "line")} of this log could not be written`, { lost })
  )
  const log: Log = (...line) => writer.write(lineOf(...line))
  return { log, writer }
}

/**
 * Lines go in whole and come out whole, or are counted as lost. `put` writes at once what it can, gives how many bytes that were, and
 * throws when it can write none; `gapLine` tells of so many lost lines.
 */
export const logWriter = (put: (bytes: Uint8Array) => number, gapLine: (lost: number) => string) => {
  let lost = 0
  let gap = 0
  // What is left of a line that was written in part.
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
  /** Tells of lost lines, if there are any to be told of and it can be told now. */
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
