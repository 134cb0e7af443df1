/**
 * Checks the gzipped size of the built page. The browser first loads `index.html`, and all files that `index.html` loads directly or
 * through static imports. All these files together have one budget. The browser loads every other file, such as a worker, only when the
 * file is used, so each of the other files has its own budget.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const FIRST_LOAD_BYTES = 200 * 1000
const ON_USE_BYTES = 200 * 1000

const directory = fileURLToPath(new URL("../dist", import.meta.url))
const read = (name: string): Buffer => readFileSync(join(directory, name))

const names = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))

/** Files that the browser loads before it runs the page. */
const first = new Set<string>()
const follow = (name: string): void => {
  if (first.has(name)) return
  first.add(name)
  const text = read(name).toString()
  const found = name.endsWith(".html")
    ? text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)
    : name.endsWith(".js")
      ? text.matchAll(/(?:from|import)\s*"(\.\/[^"]+)"/g)
      : []
  for (const [, path] of found) follow(posix.join(posix.dirname(name), path!))
}
follow("index.html")

const sizes = names
  .map((name) => ({ name, bytes: gzipSync(read(name), { level: 9 }).length, isFirst: first.has(name) }))
  .toSorted((a, b) => b.bytes - a.bytes)

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
for (const { bytes, isFirst, name } of sizes) {
  process.stdout.write(`${kilobytes(bytes)}  ${name}${isFirst ? "" : " (on use)"}\n`)
}
const total = sizes.reduce((sum, { bytes, isFirst }) => sum + (isFirst ? bytes : 0), 0)
process.stdout.write(`${kilobytes(total)}  first load, of ${kilobytes(FIRST_LOAD_BYTES).trim()} (gzip)\n`)
const large = sizes.filter(({ bytes, isFirst }) => !isFirst && bytes > ON_USE_BYTES)
if (total > FIRST_LOAD_BYTES || large.length > 0) {
  const what = total > FIRST_LOAD_BYTES ? "The first load" : large[0]!.name
  process.stderr.write(`${what} is over its budget.\n`)
  process.exit(1)
}
