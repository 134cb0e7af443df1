/** Inserts texts before and after given parts of a program's source text. */

/**
 * A part of the source text, and the texts that are inserted before and after this part. The character at `start` is in the part, and the
 * character at `end` is not.
 */
export interface Part {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly behind: string
}

/** Inserts the texts before and after each part. In `parts`, a part must precede the parts that it contains. */
export const wrapped = (code: string, parts: ReadonlyArray<Part>): string => {
  // If a part ends where another part begins, `behind` of the first part precedes `before` of the second part. If an inner part ends where
  // its outer part ends, `behind` of the inner part precedes `behind` of the outer part.
  const marks = [
    ...parts.toReversed().map(({ behind, end }) => [end, behind] as const),
    ...parts.map(({ before, start }) => [start, before] as const)
  ].toSorted(([one], [other]) => one - other)
  let done = 0
  return [...marks.map(([at, text]) => code.slice(done, (done = at)) + text), code.slice(done)].join("")
}
