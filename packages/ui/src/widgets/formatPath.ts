/** Converts values over time to SVG paths. */

/** A point of a line: a time and the value at this time. If `value` is `undefined`, the line has a gap at this time. */
export interface Point {
  readonly at: number
  readonly value: number | undefined
}

/**
 * Returns the path of a line with gaps. A single point is drawn as a line of length 0, which is visible because the ends of lines are
 * round. If `baseline` is set, the function returns the path of the area between the line and `baseline`.
 */
export const formatPath = (
  points: ReadonlyArray<Point>,
  x: (at: number) => number,
  y: (value: number) => number,
  baseline?: number
): string => {
  const runs: Array<Array<readonly [x: string, y: string]>> = [[]]
  for (const { at, value } of points) {
    if (value === undefined) runs.push([])
    else runs.at(-1)!.push([x(at).toFixed(1), y(value).toFixed(1)])
  }
  return runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const line = run.map((point) => point.join(" ")).join("L")
      return baseline === undefined ? `M${line}h0` : `M${run[0]![0]} ${baseline}L${line}V${baseline}Z`
    })
    .join("")
}
