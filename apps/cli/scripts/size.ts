/** Checks the size of the built program, including pages and manuals, against its limit. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

// It was 1.5 MB until November 2026. The parser of command lines, health checks, findings about fake servers, logs over HTTP, Steam's Web
// API, formats of alerts, explained conversations and the monitor's page account for 0.25 MB of the difference. The emulator and the query
// engine, which the playground runs in the page, take 0.13 MB, its findings and exports 0.05 MB, and the plots of its Watch view, which
// are those of the dashboard, 0.02 MB. A command loads only its own chunks, whose sizes `bundle.test.ts` limits.
const BUDGET_BYTES = 1_980_000

const directory = fileURLToPath(new URL("../dist", import.meta.url))

const bytes = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
if (bytes > BUDGET_BYTES) {
  process.stderr.write(`The program takes ${bytes} bytes, more than its budget of ${BUDGET_BYTES}.\n`)
  process.exit(1)
}
