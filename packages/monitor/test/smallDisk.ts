/**
 * A small disk in memory, which a test can fill. The disk is mounted on a new directory. This module requires Linux and the user root.
 *
 *     const disk = smallDisk()
 *     it.runIf(disk !== undefined)("continues while the disk is full", …)
 */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A mounted disk. Disposing of this object unmounts the disk. */
export interface SmallDisk extends Disposable {
  readonly directory: string
  readonly fill: () => void
  /** Frees the space that {@link fill} used. */
  readonly free: () => void
}

const BLOCK = new Uint8Array(4096)

/** Mounts a disk with a size of `megabytes` MiB. Returns `undefined` if mounting is not possible. */
export const smallDisk = (megabytes: number): SmallDisk | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-disk-"))
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory])
  if (status !== 0) {
    rmSync(directory, { recursive: true })
    process.emitWarning(`Cannot mount a disk. Tests that need a disk are skipped: ${stderr}`)
    return undefined
  }
  const ballast = join(directory, "ballast")
  return {
    directory,
    fill: () => {
      const file = openSync(ballast, "a")
      try {
        for (;;) writeSync(file, BLOCK)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast),
    [Symbol.dispose]: () => {
      spawnSync("umount", ["-l", directory])
      rmSync(directory, { recursive: true })
    }
  }
}
