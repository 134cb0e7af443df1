/**
 * Checks that generated files are current. Runs the generator in a temporary directory, and compares the new files with the files in the
 * repository.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdtempDisposableSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { conclude, files, read, root } from "./workspace.ts"

const made = mkdtempDisposableSync(join(tmpdir(), "sourcewire-generated-"))
process.on("exit", () => made.remove())

const generator = join(root, "packages/protocol/scripts/generate.ts")
const { status, stderr } = spawnSync(process.execPath, [generator, made.path], { encoding: "utf8" })
if (status !== 0) conclude([stderr], "")
const paths = globSync("**/*.*", { cwd: made.path }).map((path) => path.replaceAll("\\", "/"))
const known = new Set(files())
const stale = paths.filter((path) => !known.has(path) || read(path) !== readFileSync(join(made.path, path), "utf8"))
conclude(
  stale.map((path) => `${path}: not what the declarations say; run \`pnpm generate\``),
  `${paths.length} generated files are current`
)
