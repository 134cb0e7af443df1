/** Holds the built program against its budget: what it takes on a disk, pages and manuals included. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const BUDGET_BYTES = 1_500_000

const directory = fileURLToPath(new URL("../dist", import.meta.url))

const bytes = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
if (bytes > BUDGET_BYTES) {
  process.stderr.write(`The program takes ${bytes} bytes, more than its budget of ${BUDGET_BYTES}.\n`)
  process.exit(1)
}
