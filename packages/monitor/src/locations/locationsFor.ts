/** Selects the locations that query a target. */
import { hashText } from "../schedule/rhythm.ts"
import type { Watched } from "../watch/Watched.ts"

/**
 * Returns the available locations that query a target. If the result is `undefined`, no location queries the target. In this case, the
 * instance that owns the target queries the target. If the group's setting `locations` is a number, it is the maximum number of locations.
 * The locations are sorted by a hash of the location's name and the target's address, and the first of them are selected. Therefore, if a
 * location stops, only the targets of this location move to other locations.
 */
export const locationsFor = (
  { address, group: { locations } }: Pick<Watched, "address" | "group">,
  alive: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  if (locations === undefined) return undefined
  if (typeof locations !== "number") return locations.filter((name) => alive.includes(name))
  if (alive.length === 0) return undefined
  const ranked = alive.map((name) => [hashText(`${name} ${address}`), name] as const)
  return ranked
    .toSorted(([a], [b]) => b - a)
    .slice(0, locations)
    .map(([, name]) => name)
}
