// A transport package as its users get it: bundled JavaScript. From the sources, Node would spend 57 MB on stripping types, which is
// more than a scan takes, and which no user of the packages ever pays.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { basename, join } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const cache = join(root, "node_modules", ".cache", "sourcewire-bench")

/** Imports what a module at the root of a tree would export whose text is given, made one file by this name. */
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
  // Whole or not at all, since several programs may start at once.
  renameSync(mine, file)
  return import(pathToFileURL(file).href)
}

/**
 * `scan` of `@sourcewire/transport-…`, and nothing that it does not need; of another checkout where one is given. Where `why` is absent it
 * can go over batched system calls, which a module of their own had once.
 */
export const publishedScan = async (runtime, wanted = "plain", tree = root) => {
  const isApart = existsSync(join(tree, "packages/transport-node/src/Batched.ts"))
  const module = isApart && wanted === "batched" ? "Batched" : "index"
  const scan = `export { scan } from "./packages/transport-${runtime}/src/${module}.ts"`
  const why = isApart ? "" : `export { whyUnbatched } from "./packages/transport-node/src/transport.ts"`
  const found = await bundled(`${basename(tree)}-${runtime}-${module}`, `${scan}\n${why}`, tree)
  return { scan: found.scan, why: found.whyUnbatched?.() }
}
