/** Which locations ask a target. */
import { hashText } from "../schedule/rhythm.ts"
import type { Watched } from "../watch/Watched.ts"

/**
 * Those that ask a target, of those that are there; `undefined` where its owner does. Of a number, each target has those whose hash with
 * its address is the highest: when one goes, only its targets find another.
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
