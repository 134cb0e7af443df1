/** Puts text around parts of code. */

/** A part of code, by its first place and the one behind it. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** The code with each of the parts between two texts. Parts may stand within one another. */
export const wrapped = (code: string, parts: ReadonlyArray<Part>, before: string, behind: string): string => {
  const marks = parts.flatMap(({ end, start }) => [[start, before] as const, [end, behind] as const])
  // What ends at a place ends before anything begins there.
  marks.sort(([a, text], [b, other]) => a - b || Number(text === before) - Number(other === before))
  let done = 0
  return [...marks.map(([at, text]) => code.slice(done, (done = at)) + text), code.slice(done)].join("")
}
