/**
 * A file that is kept up to date, such as a cache or a checkpoint: at any moment it is whole, the old one or the new, also
 * after a crash or a power failure, and nobody who may write to its folder can lead the writing elsewhere.
 *
 * A process that is killed halfway leaves its unfinished file beside the whole one, under a name that is never used again.
 */
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { lstat, open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"

/** For its owner alone: what is kept across runs is nobody else's business unless the owner says so. */
const NEW_FILE_MODE = 0o600

/** What is found of a file; nothing where there is none. */
export const ifThere = <A>(found: Promise<A>): Promise<A | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    return undefined
  })

/** Permissions that the new file is to have: those of the file it replaces. */
const modeFor = async (file: string): Promise<number> => {
  const found = await ifThere(lstat(file))
  // A link is replaced, not followed, and has no permissions of its own.
  if (found === undefined || found.isSymbolicLink()) return NEW_FILE_MODE
  // A rename would put a plain file in the place of a device, `/dev/null` among them.
  if (!found.isFile()) throw new Error(`${file} is not a file`)
  return found.mode & 0o777
}

/** Without it, a power failure can bring the old name back. */
const flushFolder = async (folder: string): Promise<void> => {
  try {
    await using handle = await open(folder, "r")
    await handle.sync()
  } catch (error) {
    // Windows opens no folder, and some file systems flush none. Only a disk that fails is worth a word.
    if ((error as NodeJS.ErrnoException).code === "EIO") throw error
  }
}

/** Puts a file that holds `text` in the place of `file`, or makes it; rejects when that cannot be, and leaves the old one. */
export const replaceFile = async (file: string, text: string): Promise<void> => {
  const mode = await modeFor(file)
  const beside = `${file}.${randomBytes(8).toString("hex")}.new`
  // Exclusive: a link or a file of that name, whoever put it there, is refused and not followed.
  const handle = await open(beside, "wx", NEW_FILE_MODE)
  try {
    try {
      await handle.writeFile(text)
      // What is exactly that already needs no asking, which not every file system allows.
      if (mode !== NEW_FILE_MODE) await handle.chmod(mode)
      // Without it, a power failure can leave the new name on an empty file.
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await flushFolder(dirname(file))
}

/** Why something could not be done to a file, without the call and the name of the unfinished one; nothing where it was. */
export const faultOf = (work: () => Promise<unknown>): Effect.Effect<string | undefined> =>
  Effect.promise(() =>
    work().then(
      () => undefined,
      ({ message }: Error) => message.split(", ")[0]
    )
  )
