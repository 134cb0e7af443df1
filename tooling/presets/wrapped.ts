/** Inserts text before and after parts of code. */

/** A part of code from `start` to `end` (excluding `end`), and the texts that are inserted before and after the part. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly behind: string
}

/** Inserts the texts around each part. In `parts`, an outer part must precede the parts that it contains. */
export const wrapped = (code: string, parts: ReadonlyArray<Part>): string => {
  // At the same position, ends of parts precede beginnings of parts, and the end of an inner part precedes the end of an outer part.
  const marks = [
    ...parts.toReversed().map(({ behind, end }) => [end, behind] as const),
    ...parts.map(({ before, start }) => [start, before] as const)
  ].toSorted(([one], [other]) => one - other)
  let done = 0
  return [...marks.map(([at, text]) => code.slice(done, (done = at)) + text), code.slice(done)].join("")
}
