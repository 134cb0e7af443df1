/** Stores compiled code in Node's compile cache, so that commands start in half the time. */
import { enableCompileCache } from "node:module"
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { isAbsolute, join } from "node:path"

/**
 * Returns the user's cache directory, or `undefined` if the environment does not name one. There is no fallback to a directory below /tmp,
 * because other users could insert code into the cache there.
 */
const userCaches = ({ HOME, USERPROFILE, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined => {
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  const home = HOME ?? USERPROFILE
  return home === undefined || !isAbsolute(home) ? undefined : join(home, ".cache")
}

/** Whether the user of this process, and no other user, can write to a directory. On Windows, the result is always true. */
const isOwn = (folder: string): boolean => {
  const { mode, uid } = lstatSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/**
 * Enables Node's compile cache. Each version of the program has its own cache directory. If the directory of this version is new, the
 * directories of other versions are removed. If an error occurs, the program runs without a cache. If the user has set
 * `NODE_DISABLE_COMPILE_CACHE` or `NODE_COMPILE_CACHE`, this function does nothing, because Node itself follows these variables.
 */
export const useCompileCache = (version: string): void => {
  // If Bun runs the program, the program is a single file, which was compiled when it was built. Such a file needs no cache.
  if (process.versions["bun"] !== undefined) return
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  const caches = userCaches(process.env)
  if (NODE_COMPILE_CACHE !== undefined || NODE_DISABLE_COMPILE_CACHE !== undefined || caches === undefined) return
  const folder = join(caches, "sourcewire")
  try {
    const isNew = mkdirSync(join(folder, version), { recursive: true, mode: 0o700 }) !== undefined
    if (!isOwn(folder)) return
    enableCompileCache(join(folder, version))
    if (!isNew) return
    for (const other of readdirSync(folder)) {
      if (other !== version) rmSync(join(folder, other), { recursive: true, force: true })
    }
  } catch {
    // All errors are ignored, for example if the disk is full or read-only. Without a cache, the program starts more slowly, but works as
    // usual.
  }
}
