/**
 * Decides whether a live view can be shown. Live views require that standard input and standard output are a terminal, and that the process
 * runs in the foreground.
 */
import { readFileSync } from "node:fs"

/**
 * Whether this process runs in the foreground. If a background job (`&`) changes the mode of the terminal, the system stops the job. If the
 * system does not report whether this process runs in the foreground, the result is true.
 */
const isInFront = (): boolean => {
  try {
    const [, , group, , , front] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    return group === front
  } catch {
    return true
  }
}

export const canShow = (): boolean =>
  process.stdout.isTTY && process.stdin.isTTY && process.env["TERM"] !== "dumb" && isInFront()
