/** Inserts texts before and after parts of a code text. */

/**
 * A part of a code text, and the texts that are inserted before and after this part. The character at `start` is in the part, and the
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
  // If several texts are inserted at the same position, texts after a part precede texts before a part. The text after an inner part
  // precedes the text after the outer part.
  const marks = [
    ...parts.toReversed().map(({ behind, end }) => [end, behind] as const),
    ...parts.map(({ before, start }) => [start, before] as const)
  ].toSorted(([one], [other]) => one - other)
  let done = 0
  return [...marks.map(([at, text]) => code.slice(done, (done = at)) + text), code.slice(done)].join("")
}
