/**
 * Generated files must be what the generators write today. They are written anew, compared, and put back as they were
 * if they differ, so that a check never changes what it checks.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { conclude, root } from "./workspace.ts"

/** Where the generators write, from the root. */
const written = "{packages/protocol/src/generated,docs/protocol}/**/*"

const snapshot = (): ReadonlyMap<string, string> =>
  new Map(
    globSync(written, { cwd: root })
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, readFileSync(join(root, path), "utf8")])
  )

const before = snapshot()
const run = spawnSync("pnpm", ["run", "generate"], { cwd: root, encoding: "utf8", shell: process.platform === "win32" })
const after = snapshot()
const stale = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
for (const path of stale) {
  const text = before.get(path)
  if (text === undefined) rmSync(join(root, path))
  else writeFileSync(join(root, path), text)
}
if (run.status !== 0) conclude([run.stdout + run.stderr], "")
conclude(
  stale.map((path) => `${path}: not what the declarations say; run \`pnpm generate\``),
  `${before.size} generated files are current`
)
