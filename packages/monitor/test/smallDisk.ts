/**
 * A disk of a test's own that can be full: memory, mounted on a new directory. Needs Linux and root; where that is not permitted there is
 * none.
 *
 *     const disk = smallDisk()
 *     it.runIf(disk !== undefined)("goes on while the disk is full", …)
 */
import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The disk. */
export interface SmallDisk extends Disposable {
  readonly directory: string
  /** Leaves no byte free. */
  readonly fill: () => void
  /** Gives back what {@link fill} took. */
  readonly free: () => void
}

const BLOCK = new Uint8Array(4096)

/** `undefined` where this cannot be done. */
export const smallDisk = (megabytes: number): SmallDisk | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-disk-"))
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory])
  if (status !== 0) {
    rmSync(directory, { recursive: true })
    process.emitWarning(`No disk can be mounted here, tests that need one are left out: ${stderr}`)
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
