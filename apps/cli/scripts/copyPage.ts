/**
 * Copies the built pages next to the bundled program, so that the program finds the pages wherever it is installed. The copies of scripts
 * and style sheets are compressed with gzip, because the program sends these files to browsers in compressed form.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

for (const page of ["playground", "dashboard"]) {
  const target = path(`../dist/${page}`)
  cpSync(path(`../../${page}/dist`), target, { recursive: true })
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css)$/.test(name)) continue
    const file = join(target, name)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
    rmSync(file)
  }
}
