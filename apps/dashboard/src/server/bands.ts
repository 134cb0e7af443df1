/** Computes the periods in which a server ran each map, from the changes of the server. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import type { Span } from "@sourcewire/ui/spans"

/** A map, and a period in which the server ran this map. The start and the end of the period are Unix times in seconds. */
export interface Band {
  readonly map: string
  readonly span: Span
}

/**
 * Returns the maps that a server ran in a span, in chronological order. `changes` contains the newest map changes before the end of the
 * span, the newest first. If `isAll` is false, `changes` may lack older changes, so no band covers the time before the oldest change in
 * `changes`. If `isAll` is true and there are no changes, the server ran its current map (`present`) in the whole span.
 */
export const listBands = (
  changes: ReadonlyArray<ChangeRow>,
  isAll: boolean,
  [from, to]: Span,
  present: string | undefined
): ReadonlyArray<Band> => {
  const bands: Array<Band> = []
  let end = to
  let map = changes[0]?.to ?? present ?? ""
  for (const change of changes) {
    const at = change.at / 1000
    if (at < to && map !== "" && end > from) bands.push({ map, span: [Math.max(from, at), end] })
    end = Math.min(to, at)
    map = change.from
    if (at <= from) break
  }
  if (isAll && end > from && map !== "") bands.push({ map, span: [from, end] })
  return bands.toReversed()
}

/** Returns the share of each map in the total time of all bands. The map with the largest share is first. */
export const sumShares = (bands: ReadonlyArray<Band>): ReadonlyArray<readonly [map: string, share: number]> => {
  const times = new Map<string, number>()
  let all = 0
  for (const { map, span } of bands) {
    times.set(map, (times.get(map) ?? 0) + span[1] - span[0])
    all += span[1] - span[0]
  }
  return [...times].map(([map, time]) => [map, time / all] as const).toSorted(([, a], [, b]) => b - a)
}

/** The number of the tint for a map, from 0 to `tints` - 1. The number depends only on the name of the map. */
export const chooseTint = (map: string, tints: number): number => {
  let hash = 0
  for (const character of map) hash = (hash * 31 + character.codePointAt(0)!) >>> 0
  return hash % tints
}
