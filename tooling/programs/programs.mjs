/**
 * Paths of the pinned Node, Deno and Bun. Each program is an npm package with the binary of one platform, so the lockfile has the hash of
 * the binary, and no install script runs. (The packages `node`, `deno` and `bun` download or link their binaries in an install script.)
 *
 * This module is plain JavaScript, because `bootstrap.mjs` also runs on Node 20, which does not strip types.
 */
import { fileURLToPath } from "node:url"

const suffix = process.platform === "win32" ? ".exe" : ""

const binary = (modules, name, inside) =>
  fileURLToPath(
    new URL(`../../${modules}/${name}-${process.platform}-${process.arch}/${inside}${suffix}`, import.meta.url)
  )

/** The path of each program. If the lockfile has no package for this platform, the path does not exist. */
export const programs = {
  // The npm package of the pinned Node is a dependency of the root, so that scripts in package.json use the pinned Node.
  node: binary("node_modules", "node", "bin/node"),
  node22: binary("tooling/programs/node_modules", "node22", "bin/node"),
  node26: binary("tooling/programs/node_modules", "node26", "bin/node"),
  deno: binary("tooling/programs/node_modules", "deno", "deno"),
  bun: binary("tooling/programs/node_modules", "bun", "bin/bun")
}
