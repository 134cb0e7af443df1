/** Decides whether a live view can be shown. Output and input must be a terminal. */
import { readFileSync } from "node:fs"

/**
 * Whether this process runs in the foreground. The system stops a background job (`&`) that changes the mode of the terminal. The result is
 * true if it cannot be determined.
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
