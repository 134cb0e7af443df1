/** Fails if the built program, including its pages and manuals, is larger than the limit. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

// Until November 2026, this limit was 1.5 MB. Since then, these parts were added:
//
// - 0.25 MB: the parser of command lines, health checks, findings about fake servers, logs over HTTP, Steam's Web API, formats of alerts,
//   the findings of `--explain`, and the monitor's page
// - 0.13 MB: the emulator and the query engine, which run in the page of the playground
// - 0.05 MB: the playground's findings and exports
// - 0.02 MB: the plots of the playground's Watch view
//
// This limit applies to all files together. `bundle.test.ts` has a separate limit for the chunks that a single command loads.
const BUDGET_BYTES = 1_985_000

const directory = fileURLToPath(new URL("../dist", import.meta.url))

const bytes = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
if (bytes > BUDGET_BYTES) {
  process.stderr.write(`The program takes ${bytes} bytes, more than its budget of ${BUDGET_BYTES}.\n`)
  process.exit(1)
}
