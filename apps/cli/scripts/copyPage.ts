/**
 * Puts the built pages beside the bundled program, so that it finds them wherever it is installed: scripts and style sheets compressed, as
 * browsers get them. Then holds all of it against its budget.
 */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

/** What the published program may take on a disk. */
const BUDGET_BYTES = 1_500_000

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const filesIn = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

for (const page of ["playground", "dashboard"]) {
  const target = path(`../dist/${page}`)
  cpSync(path(`../../${page}/dist`), target, { recursive: true })
  for (const file of filesIn(target)) {
    if (!/\.(js|css)$/.test(file)) continue
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
    rmSync(file)
  }
}

const bytes = filesIn(path("../dist")).reduce((sum, file) => sum + statSync(file).size, 0)
if (bytes > BUDGET_BYTES) {
  process.stderr.write(`The program takes ${bytes} bytes, more than its budget of ${BUDGET_BYTES}.\n`)
  process.exit(1)
}
