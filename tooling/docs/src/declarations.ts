/**
 * A package's declarations, emitted from its sources as they are now: types are complete there, also where the sources leave them to
 * inference, and doc comments are kept.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../../checks/src/workspace.ts"
import { type Modules, modulesOf } from "./surface.ts"

/** Emits the declarations of the package in a directory, and gives them by the paths of their sources. */
export const declarationsOf = (dir: string): Modules => {
  const out = mkdtempSync(join(tmpdir(), "sourcewire-api-"))
  try {
    const args = ["--project", join(root, dir, "tsconfig.build.json"), "--outDir", out, "--declarationMap", "false"]
    const tsc = join(root, "node_modules", ".bin", "tsc")
    const { status, stdout } = spawnSync(tsc, args, { encoding: "utf8", shell: process.platform === "win32" })
    if (status !== 0) throw new Error(`${dir} does not compile:\n${stdout}`)
    const paths = globSync("**/*.d.ts", { cwd: out })
    return modulesOf(
      paths.map((path) => [
        `${dir}/src/${path.replaceAll("\\", "/").replace(".d.ts", ".ts")}`,
        readFileSync(join(out, path), "utf8")
      ])
    )
  } finally {
    rmSync(out, { recursive: true })
  }
}
