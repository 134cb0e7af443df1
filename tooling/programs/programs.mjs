/**
 * The paths of the pinned versions of Node, Deno and Bun. Each program comes from an npm package that contains the binary for one platform.
 * Therefore the lockfile contains a hash of the binary, and no install script runs. (The npm packages `node`, `deno` and `bun` download or
 * link their binaries in an install script.)
 *
 * This module is plain JavaScript, because `bootstrap.mjs` imports it and also runs on Node 20, which cannot run TypeScript.
 */
import { fileURLToPath } from "node:url"

const suffix = process.platform === "win32" ? ".exe" : ""

const binary = (modules, name, inside) =>
  fileURLToPath(
    new URL(`../../${modules}/${name}-${process.platform}-${process.arch}/${inside}${suffix}`, import.meta.url)
  )

/** The path of each program. If the lockfile contains no package of a program for this platform, there is no file at the path. */
export const programs = {
  // The npm package of this Node is a dependency of the root package, so that the scripts in the root's package.json run with this Node.
  node: binary("node_modules", "node", "bin/node"),
  node22: binary("tooling/programs/node_modules", "node22", "bin/node"),
  node26: binary("tooling/programs/node_modules", "node26", "bin/node"),
  deno: binary("tooling/programs/node_modules", "deno", "deno"),
  bun: binary("tooling/programs/node_modules", "bun", "bin/bun")
}
