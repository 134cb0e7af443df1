/** Lets Node keep what it compiled, which halves the time until a command runs. */
import { enableCompileCache } from "node:module"
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { isAbsolute, join } from "node:path"

/** Where the user's caches are; not below /tmp, where others could put code into ours. */
const userCaches = ({ HOME, USERPROFILE, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined => {
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  const home = HOME ?? USERPROFILE
  return home === undefined || !isAbsolute(home) ? undefined : join(home, ".cache")
}

/** Whether nobody else can write there. */
const isOurs = (folder: string): boolean => {
  const { mode, uid } = lstatSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/**
 * Keeps it in a folder for this version of the program, and removes those of other versions. Where that cannot be, the program does
 * without, as it does when `NODE_DISABLE_COMPILE_CACHE` is set; `NODE_COMPILE_CACHE` names another folder.
 */
export const keepCompiled = (version: string): void => {
  // A single file was compiled when it was made.
  if (process.versions["bun"] !== undefined) return
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  const caches = userCaches(process.env)
  if (NODE_COMPILE_CACHE !== undefined || NODE_DISABLE_COMPILE_CACHE !== undefined || caches === undefined) return
  const folder = join(caches, "sourcewire")
  try {
    const isNew = mkdirSync(join(folder, version), { recursive: true, mode: 0o700 }) !== undefined
    if (!isOurs(folder)) return
    enableCompileCache(join(folder, version))
    if (!isNew) return
    for (const other of readdirSync(folder)) {
      if (other !== version) rmSync(join(folder, other), { recursive: true, force: true })
    }
  } catch {
    // A full disk, a home that is read-only: compiling takes longer, and that is all.
  }
}
