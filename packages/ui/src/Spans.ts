/** Periods of time. */

/** The start and the end of a period, in a unit that the caller chooses. */
export type Span = readonly [from: number, to: number]

/** Sorts periods, and merges periods that overlap or touch. */
export const united = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const found: Array<[number, number]> = []
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}
