/** Reads the built page into memory. */
import type { PageFile } from "./Page.ts"
import { InvalidOption } from "@sourcewire/protocol/wire"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"
import { gunzipSync } from "node:zlib"

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json"
}

/**
 * Reads a directory and its subdirectories: all files whose extension is in `TYPES`. The keys of the result are URL paths, such as
 * `/index.html`. The compressed file `x.js.gz` has the key `/x.js`. If the directory has no `index.html`, the page was not built, and the
 * function throws `InvalidOption`.
 */
export const readPage = (directory: string): ReadonlyMap<string, PageFile> => {
  if (!existsSync(join(directory, "index.html")))
    throw new InvalidOption({ option: "page", message: `There is no page in ${directory}. Build it first.` })
  const files = new Map<string, PageFile>()
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = `/${relative(directory, path).split(sep).join("/")}`
    const shown = name.replace(/\.gz$/, "")
    const contentType = TYPES[posix.extname(shown)]
    if (contentType === undefined) continue
    const stored = readFileSync(path)
    const content = shown === name ? { bytes: stored } : { bytes: gunzipSync(stored), gzip: stored }
    files.set(shown, { ...content, contentType, immutable: name.startsWith("/assets/") })
  }
  return files.set("/", files.get("/index.html")!)
}
