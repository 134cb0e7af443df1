/** Finds the web pages that the program serves. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Directories in which a page can be: next to the bundled program, or in a clone, at a path relative to the bundle or to this module. */
export const pageDirectories = (page: "playground" | "dashboard"): ReadonlyArray<string> =>
  [`./${page}`, `../../${page}/dist`].map((place) => fileURLToPath(new URL(place, import.meta.url)))

/** The first of the directories that contains a page. */
export const findPage = (places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => existsSync(join(place, "index.html")))
