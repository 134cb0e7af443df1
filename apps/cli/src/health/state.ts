/** What one check of a server's health leaves for the next: when the server was first checked, and when it last replied. */
import { readFileSync, constants, closeSync, fstatSync, openSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { replaceFile } from "../files/replaceFile.ts"

export interface HealthState {
  /** In ms since 1970. */
  readonly firstAt: number
  readonly repliedAt?: number
}

/** The state, and the start of the system or container that it is of. */
interface Stored extends HealthState {
  readonly start: string
}

/** Says when this container, or this machine, was started: a file that is kept across a restart tells nothing about the new run. */
const startOf = (): string => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    // The name of the process may contain blanks; the time it was started is field 22.
    const started = readFileSync("/proc/1/stat", "utf8").split(") ").at(-1)!.split(" ")[19]
    return `${boot} ${started}`
  } catch {
    return ""
  }
}

/** The file that a server has if none is named. */
export const usualStateFile = (address: string): string =>
  join(tmpdir(), `sourcewire-health-${process.getuid?.() ?? "user"}-${address.replaceAll(/[^\w.-]/g, "_")}.json`)

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

/** The state in a file of this user's own; `undefined` if there is none of this run. */
export const readState = (file: string, nowMs: number): HealthState | undefined => {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      const { size, uid } = fstatSync(descriptor)
      if (size > 1000 || (process.getuid !== undefined && uid !== process.getuid())) return undefined
      const stored = JSON.parse(readFileSync(descriptor, "utf8")) as Partial<Stored>
      const { firstAt, repliedAt, start } = stored
      // A clock that was set back makes every time worthless.
      if (start !== startOf() || !isTime(firstAt) || firstAt > nowMs) return undefined
      return isTime(repliedAt) && repliedAt <= nowMs ? { firstAt, repliedAt } : { firstAt }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** Stores the state; rejects if the file cannot be written. */
export const writeState = (file: string, state: HealthState): Promise<void> =>
  replaceFile(file, `${JSON.stringify({ ...state, start: startOf() } satisfies Stored)}\n`)
