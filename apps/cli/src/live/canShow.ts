/** Whether there is a terminal that a view can be shown on, and keys be read from. */
import { readFileSync } from "node:fs"

/** Whether this runs in front: changing a terminal stops what runs behind (`&`). Where the system does not tell, it is taken to be. */
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
