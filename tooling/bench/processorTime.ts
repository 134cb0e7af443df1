/** Reads the processor times of processes and of the machine from Linux' `/proc`. */
import { readdirSync, readFileSync } from "node:fs"

/** Ticks per second in Linux' `/proc`. */
const TICKS = 100

/**
 * Returns the fields of `/proc/PID/stat` that follow the name of the process. Blanks separate the fields, but the name may contain blanks,
 * too.
 */
const readStatFields = (pid: number | string): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")

const sum = (fields: ReadonlyArray<string>, from: number, count: number): number =>
  fields.slice(from, from + count).reduce((all, one) => all + Number(one), 0) / TICKS

/** Processor time of a process with all its threads, in seconds. */
export const processorSeconds = (pid: number): number => sum(readStatFields(pid), 11, 2)

/** Processor time of the children of a process, in seconds. Only children that have ended are included. */
export const childrenSeconds = (pid: number | "self"): number => sum(readStatFields(pid), 13, 2)

/** Processor time of a process and all its children, including children that have ended, in seconds. */
export const familySeconds = (pid: number): number => {
  const children = readdirSync("/proc").flatMap((name) => {
    try {
      const fields = /^\d+$/.test(name) ? readStatFields(name) : []
      return Number(fields[1]) === pid ? [sum(fields, 11, 2)] : []
    } catch {
      // The process has ended since `/proc` was listed.
      return []
    }
  })
  return children.reduce((all, one) => all + one, sum(readStatFields(pid), 11, 4))
}

/** Seconds per activity, such as user code or idle time: one list for all processors together, then one list for each processor. */
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

/** Idle time of all processors together, in seconds. */
export const idleSeconds = (): number => machine()[0]![3]!

/** Busy time of each processor, in seconds. */
export const busySeconds = (): ReadonlyArray<number> =>
  machine()
    .slice(1)
    .map((did) => did.reduce((sum, one) => sum + one) - did[3]! - did[4]!)
