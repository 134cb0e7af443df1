/** Puts the built pages beside the bundled program, so that it finds them wherever it is installed. */
import { cpSync } from "node:fs"
import { fileURLToPath } from "node:url"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

for (const page of ["playground", "dashboard"]) {
  cpSync(path(`../../${page}/dist`), path(`../dist/${page}`), { recursive: true })
}
