/** Values over time as SVG paths. */

/** A value at a time; a point without a value is a gap. */
export interface Point {
  readonly at: number
  readonly value: number | undefined
}

/**
 * The path of a line with gaps, or of the area between the line and `ground`. A single point is a line of length 0. It is visible because
 * line ends are round.
 */
export const formatPath = (
  points: ReadonlyArray<Point>,
  x: (at: number) => number,
  y: (value: number) => number,
  ground?: number
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
      return ground === undefined ? `M${line}h0` : `M${run[0]![0]} ${ground}L${line}V${ground}Z`
    })
    .join("")
}
