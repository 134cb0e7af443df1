/**
 * Replaces a file, such as a cache or a checkpoint, atomically. Even after a crash or a power failure, the file contains either all of the
 * old content or all of the new content. If another user has placed a link in the directory, this module never writes to the target of the
 * link.
 *
 * If the process is killed while it replaces a file, a temporary file can remain in the directory. The name of the temporary file contains
 * the process id. The next process that reads or writes the file removes the temporary files of processes that no longer run.
 */
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { lstat, open, readdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { explainSystemError } from "../systemError.ts"

/** Permissions of a new file: only the owner can read and write the file. */
const NEW_FILE_MODE = 0o600

/** Waits for a file operation, and returns its result, or `undefined` if the file does not exist. */
export const ifExists = <A>(found: Promise<A>): Promise<A | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    return undefined
  })

/** Returns the permissions of the existing file. If the file does not exist or is a link, the result is {@link NEW_FILE_MODE}. */
const modeFor = async (file: string): Promise<number> => {
  const found = await ifExists(lstat(file))
  // A link is replaced, not followed. A link has no permissions of its own.
  if (found === undefined || found.isSymbolicLink()) return NEW_FILE_MODE
  // A rename would replace a device such as `/dev/null` with a file.
  if (!found.isFile()) throw new Error(`${file} is not a file`)
  return found.mode & 0o777
}

/** Flushes a directory after a file in it was renamed. Without the flush, a power failure can undo the renaming. */
const flushFolder = async (folder: string): Promise<void> => {
  try {
    await using handle = await open(folder, "r")
    await handle.sync()
  } catch (error) {
    // Windows cannot open directories, and some file systems cannot flush directories. Therefore all errors are ignored except EIO, the
    // error of a failing disk.
    if ((error as NodeJS.ErrnoException).code === "EIO") throw error
  }
}

/** Names of the temporary files of this process. */
const unfinished = new Set<string>()
/** Files for which this process has already removed old temporary files. */
const swept = new Set<string>()

/** Matches the suffix of a temporary file. The process id is optional, because earlier releases omitted it. */
const UNFINISHED = /^(?:(\d+)\.)?[\da-f]{16}\.new$/

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // If the error is EPERM, the process runs but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * Removes the temporary files that killed processes left beside `file`. Only the first call for each `file` has an effect. Never fails.
 */
export const removeUnfinished = async (file: string): Promise<void> => {
  if (swept.has(file)) return
  swept.add(file)
  const start = `${basename(file)}.`
  for (const name of await readdir(dirname(file)).catch(() => [])) {
    if (!name.startsWith(start) || unfinished.has(name)) continue
    const found = UNFINISHED.exec(name.slice(start.length))
    if (found === null) continue
    const [, pid] = found
    const isOtherProcess = pid !== undefined && Number(pid) !== process.pid && isRunning(Number(pid))
    if (!isOtherProcess) await rm(join(dirname(file), name), { force: true }).catch(() => undefined)
  }
}

const writeBeside = async (file: string, beside: string, text: string, mode: number): Promise<void> => {
  // With `wx`, `open` fails if a file or a link with this name exists, even if the target of the link does not exist.
  const handle = await open(beside, "wx", NEW_FILE_MODE)
  try {
    try {
      await handle.writeFile(text)
      // Some file systems do not support permissions. Therefore the permissions are set only if they differ from those of a new file.
      if (mode !== NEW_FILE_MODE) await handle.chmod(mode)
      // Without the flush, `file` can be empty if the power fails after the rename.
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Creates a file with the given text, or replaces the file if it exists. If the write fails, the old file remains. */
export const replaceFile = async (file: string, text: string): Promise<void> => {
  const mode = await modeFor(file)
  await removeUnfinished(file)
  const beside = `${file}.${process.pid}.${randomBytes(8).toString("hex")}.new`
  unfinished.add(basename(beside))
  try {
    await writeBeside(file, beside, text, mode)
  } finally {
    unfinished.delete(basename(beside))
  }
  await flushFolder(dirname(file))
}

/**
 * Runs a file operation. Returns `undefined` if the operation succeeds. If the operation fails, the result is the reason of the failure,
 * which does not contain the name of the temporary file.
 */
export const findFault = (work: () => Promise<unknown>): Effect.Effect<string | undefined> =>
  Effect.promise(() => work().then(() => undefined, explainSystemError))
