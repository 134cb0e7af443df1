// Imports a transport package in its published form: bundled JavaScript. If Node loaded the TypeScript sources, stripping their types would
// take 57 MB of memory. A scan needs less, and users of the published packages never need these 57 MB.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { basename, join } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const cache = join(root, "node_modules", ".cache", "sourcewire-bench")

/**
 * Bundles the module with the source `text`, as if it were a file at the root of `tree`. Writes the bundle to one file (`NAME.mjs`), and
 * imports this file.
 */
export const bundled = async (name, text, tree = root) => {
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `${name}.mjs`)
  const mine = join(cache, `${name}-${process.pid}.mjs`)
  const options = ["--bundle", "--platform=node", "--format=esm", "--external:bun", "--log-level=warning"]
  const { status, stderr } = spawnSync(
    join(root, "tooling/packaging/node_modules/.bin/esbuild"),
    [...options, `--outfile=${mine}`],
    {
      input: text,
      cwd: tree,
      encoding: "utf8"
    }
  )
  if (status !== 0) throw new Error(`esbuild: ${stderr}`)
  // The file is replaced atomically, because several programs may write it at the same time.
  renameSync(mine, file)
  return import(pathToFileURL(file).href)
}

/**
 * Bundles `@sourcewire/transport-…` of this tree or of another checkout, and returns an object with its function `scan`. The bundle
 * contains only the code that `scan` needs. If `scan` cannot use batched system calls, `why` in this object is the reason. Earlier versions
 * have a separate module (`Batched.ts`) for the `scan` that uses batched system calls. For these versions, the object never contains a
 * reason.
 */
export const publishedScan = async (runtime, wanted = "plain", tree = root) => {
  const isApart = existsSync(join(tree, "packages/transport-node/src/Batched.ts"))
  const module = isApart && wanted === "batched" ? "Batched" : "index"
  const scan = `export { scan } from "./packages/transport-${runtime}/src/${module}.ts"`
  const why = isApart ? "" : `export { whyUnbatched } from "./packages/transport-node/src/transport.ts"`
  const found = await bundled(`${basename(tree)}-${runtime}-${module}`, `${scan}\n${why}`, tree)
  return { scan: found.scan, why: found.whyUnbatched?.() }
}
