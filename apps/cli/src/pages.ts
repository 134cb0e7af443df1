/** Finds the web pages that the program serves. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Returns the two directories that can contain a page: one next to the bundled program, and one in a clone of the repository. The paths are
 * based on the location of this module.
 */
export const pageDirectories = (page: "playground" | "dashboard"): ReadonlyArray<string> =>
  [`./${page}`, `../../${page}/dist`].map((place) => fileURLToPath(new URL(place, import.meta.url)))

/** Returns the first directory of the list that contains a page. */
export const findPage = (places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => existsSync(join(place, "index.html")))
