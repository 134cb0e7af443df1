/** Processor time of other processes, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs"

/** Ticks a second of Linux' `/proc`. */
const TICKS = 100

/** The fields of `/proc/PID/stat` after the name of the process, which may contain blanks. */
const readStatFields = (pid: number | string): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")

const sum = (fields: ReadonlyArray<string>, from: number, count: number): number =>
  fields.slice(from, from + count).reduce((all, one) => all + Number(one), 0) / TICKS

/** Seconds of processor time of a process until now, all its threads included. */
export const processorSeconds = (pid: number): number => sum(readStatFields(pid), 11, 2)

/** Of those of its children that have ended. */
export const childrenSeconds = (pid: number | "self"): number => sum(readStatFields(pid), 13, 2)

/** Of a process with its children, those that have ended included. */
export const familySeconds = (pid: number): number => {
  const children = readdirSync("/proc").flatMap((name) => {
    try {
      const fields = /^\d+$/.test(name) ? readStatFields(name) : []
      return Number(fields[1]) === pid ? [sum(fields, 11, 2)] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
  return children.reduce((all, one) => all + one, sum(readStatFields(pid), 11, 4))
}

/** Of the whole machine, by processor and before these of all together: how long it did what, in seconds. */
const machine = (): ReadonlyArray<ReadonlyArray<number>> =>
  readFileSync("/proc/stat", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("cpu"))
    .map((line) =>
      line
        .trim()
        .split(/\s+/)
        .slice(1, 9)
        .map((ticks) => Number(ticks) / TICKS)
    )

/** Seconds that the processors had nothing to do, all together. */
export const idleSeconds = (): number => machine()[0]![3]!

/** Seconds that each of the processors did something. */
export const busySeconds = (): ReadonlyArray<number> =>
  machine()
    .slice(1)
    .map((did) => did.reduce((sum, one) => sum + one) - did[3]! - did[4]!)
