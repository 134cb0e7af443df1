/** Holds the built page against its budget: what a reader downloads, gzipped, all files together. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const BUDGET_BYTES = 200 * 1000

const directory = fileURLToPath(new URL("../dist", import.meta.url))

const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { name: path.slice(directory.length + 1), bytes: gzipSync(readFileSync(path), { level: 9 }).length }
  })
  .toSorted((a, b) => b.bytes - a.bytes)

const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
for (const { bytes, name } of files) process.stdout.write(`${kilobytes(bytes)}  ${name}\n`)
process.stdout.write(`${kilobytes(total)}  in all, of ${kilobytes(BUDGET_BYTES).trim()} (gzip)\n`)
if (total > BUDGET_BYTES) {
  process.stderr.write("The page is over its budget.\n")
  process.exit(1)
}
