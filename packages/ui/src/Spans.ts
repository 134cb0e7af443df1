/** Periods of time. */

/** From when to when; the unit is the caller's. */
export type Span = readonly [from: number, to: number]

/** Periods in order and without overlap; those that touch become one. */
export const united = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const found: Array<[number, number]> = []
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}
