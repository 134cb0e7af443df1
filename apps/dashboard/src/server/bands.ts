/** Derives from a server's changes which maps it ran, and when. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import type { Span } from "@sourcewire/ui/spans"

/** A map, and the time during which it ran, in seconds. */
export interface Band {
  readonly map: string
  readonly span: Span
}

/**
 * The maps of a span, in order. `changes` are the newest map changes before the end of the span, the newest first. If `isAll` is not set,
 * older changes can exist. Then the map before the oldest change is unknown. A server without any change has always run its present map.
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

/** Each map with its share of the time, the longest first. */
export const sumShares = (bands: ReadonlyArray<Band>): ReadonlyArray<readonly [map: string, share: number]> => {
  const times = new Map<string, number>()
  let all = 0
  for (const { map, span } of bands) {
    times.set(map, (times.get(map) ?? 0) + span[1] - span[0])
    all += span[1] - span[0]
  }
  return [...times].map(([map, time]) => [map, time / all] as const).toSorted(([, a], [, b]) => b - a)
}

/** The number of a map's tint, from 0 to `tints` - 1. A map always has the same tint. */
export const chooseTint = (map: string, tints: number): number => {
  let hash = 0
  for (const character of map) hash = (hash * 31 + character.codePointAt(0)!) >>> 0
  return hash % tints
}
