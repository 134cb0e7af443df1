/** Finds the web pages that the program serves. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Directories of a page: next to the bundled program, or in a clone, relative to the bundle and to this module. */
export const pageDirectories = (page: "playground" | "dashboard"): ReadonlyArray<string> =>
  [`./${page}`, `../../${page}/dist`].map((place) => fileURLToPath(new URL(place, import.meta.url)))

/** The first of the directories that contains a page. */
export const findPage = (places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => existsSync(join(place, "index.html")))
