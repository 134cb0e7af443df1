/** Puts text around parts of code. */

/** A part of code, by its first place and the one behind it, and what is put there. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly behind: string
}

/** The code with each of the parts between its two texts. Of nested parts, the outer one comes first. */
export const wrapped = (code: string, parts: ReadonlyArray<Part>): string => {
  // What ends at a place ends before anything begins there, and the inner before the outer.
  const marks = [
    ...parts.toReversed().map(({ behind, end }) => [end, behind] as const),
    ...parts.map(({ before, start }) => [start, before] as const)
  ].toSorted(([one], [other]) => one - other)
  let done = 0
  return [...marks.map(([at, text]) => code.slice(done, (done = at)) + text), code.slice(done)].join("")
}
