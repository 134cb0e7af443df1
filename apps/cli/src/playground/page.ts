/** Where the playground's built page lies. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Beside the bundled program; in a clone, seen from the bundle and from this module. */
export const PLACES: ReadonlyArray<string> = ["./playground", "../../playground/dist", "../../../playground/dist"].map(
  (place) => fileURLToPath(new URL(place, import.meta.url))
)

/** The first of the directories that holds a page. */
export const pageIn = (places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => existsSync(join(place, "index.html")))
