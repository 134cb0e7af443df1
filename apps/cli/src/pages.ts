/** Finds the web pages that the program serves. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Directories that may contain a page: a folder next to the bundled program, and a folder of a clone. Paths are relative to this module.
 */
export const pageDirectories = (page: "playground" | "dashboard"): ReadonlyArray<string> =>
  [`./${page}`, `../../${page}/dist`].map((place) => fileURLToPath(new URL(place, import.meta.url)))

/** The first of these directories that contains a page. */
export const findPage = (places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => existsSync(join(place, "index.html")))
