// A transport package as its users get it: bundled JavaScript. From the sources, Node would spend 57 MB on stripping types, which is
// more than a scan takes, and which no user of the packages ever pays.
import { spawnSync } from "node:child_process"
import { mkdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The exports of `@sourcewire/transport-…`, or of another module of it. */
export const published = async (runtime, module = "index") => {
  const folder = join(root, "node_modules", ".cache", "sourcewire-bench")
  mkdirSync(folder, { recursive: true })
  const mine = join(folder, `${runtime}-${module}-${process.pid}.mjs`)
  const file = join(folder, `${runtime}-${module}.mjs`)
  const bundler = join(root, "node_modules", ".bin", "esbuild")
  const entry = join(root, "packages", `transport-${runtime}`, "src", `${module}.ts`)
  const options = [
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--external:bun",
    "--log-level=warning",
    `--outfile=${mine}`
  ]
  const { status, stderr } = spawnSync(bundler, [entry, ...options], { encoding: "utf8" })
  if (status !== 0) throw new Error(`esbuild: ${stderr}`)
  // Whole or not at all, since several drivers may start at once.
  renameSync(mine, file)
  return import(pathToFileURL(file).href)
}
