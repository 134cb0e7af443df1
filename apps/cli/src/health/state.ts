/** Stores two times for the next health check of a server: the time of the first check, and the time of the last reply. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface HealthState {
  /** The time of the first check, in ms since 1970. */
  readonly firstAt: number
  readonly repliedAt?: number
}

/** The content of the state file. `start` is the text that {@link readStart} returned when the state was stored. */
interface Stored extends HealthState {
  readonly start: string
}

/**
 * Returns a text that is different after each start of this container or host. A state that was stored before a restart is ignored after
 * the restart. If the system has no `/proc`, the text is always empty, and restarts are not detected.
 */
const readStart = (): string => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    // Field 22 of the line is the start time of the process. Field 2, the name of the process, can contain spaces. Therefore only the text
    // after the name is split at spaces. In the resulting list, field 22 has the index 19.
    const started = readFileSync("/proc/1/stat", "utf8").split(") ").at(-1)!.split(" ")[19]
    return `${boot} ${started}`
  } catch {
    return ""
  }
}

/** The path of the state file of a server if the flag `--state` is absent. */
export const defaultStateFile = (address: string): string =>
  join(tmpdir(), `sourcewire-health-${process.getuid?.() ?? "user"}-${address.replaceAll(/[^\w.-]/g, "_")}.json`)

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

/** Reads the state. Returns `undefined` if the file is missing or invalid, belongs to another user, or was written before a restart. */
export const readState = (file: string, nowMs: number): HealthState | undefined => {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      const { size, uid } = fstatSync(descriptor)
      if (size > 1000 || (process.getuid !== undefined && uid !== process.getuid())) return undefined
      const stored = JSON.parse(readFileSync(descriptor, "utf8")) as Partial<Stored>
      const { firstAt, repliedAt, start } = stored
      // If the clock was set back, a stored time can be in the future. A time in the future is ignored.
      if (start !== readStart() || !isTime(firstAt) || firstAt > nowMs) return undefined
      return isTime(repliedAt) && repliedAt <= nowMs ? { firstAt, repliedAt } : { firstAt }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/**
 * Stores the state. Throws an error if the file cannot be written. Other processes never read an incomplete file. The file is not flushed
 * to the disk, because after a power failure the state is ignored anyway.
 */
export const writeState = (file: string, state: HealthState): void => {
  const found = lstatSync(file, { throwIfNoEntry: false })
  // A link is replaced, not followed. A device such as `/dev/null` must not be replaced.
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink()) throw new Error(`${file} is not a file`)
  const written = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.new`
  const mode = found?.isFile() === true ? found.mode & 0o777 : 0o600
  // With `wx`, the write fails if `written` exists, even if `written` is a link that another user created.
  writeFileSync(written, `${JSON.stringify({ ...state, start: readStart() } satisfies Stored)}\n`, { flag: "wx", mode })
  try {
    renameSync(written, file)
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}
