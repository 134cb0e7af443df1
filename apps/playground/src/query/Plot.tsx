/** A line over time, in plain SVG. Gaps are looks without an answer. */

import { plural } from "@sourcewire/capture"
import { formatPath, type Point } from "@sourcewire/ui/widgets"

const WIDTH = 640
const HEIGHT = 150
const LEFT = 84
const RIGHT = 10
const TOP = 12
const BOTTOM = 22

/** The next 1, 2 or 5 times a power of ten. */
export const niceCeiling = (value: number): number => {
  if (value <= 0) return 1
  const scale = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * scale >= value) ?? 10) * scale
}

const clock = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")} min`

/** An event at the time axis. */
export interface Mark {
  readonly at: number
  readonly kind: "again" | "lost"
  readonly title: string
}

interface PlotProps {
  readonly title: string
  /** Of whole things the noun of one. */
  readonly unit: string
  readonly points: ReadonlyArray<Point>
  readonly marks?: ReadonlyArray<Mark>
  /** Nothing lies between two whole numbers. */
  readonly whole?: boolean
}

export const Plot = ({ marks = [], points, title, unit, whole = false }: PlotProps) => {
  const from = points[0]?.at ?? 0
  const to = Math.max(points.at(-1)?.at ?? 0, from + 10)
  const highest = niceCeiling(points.reduce((max, { value }) => Math.max(max, value ?? 0), 0))
  // Half of it is written at the axis too.
  const most = whole ? highest + (highest % 2) : highest
  const x = (at: number): number => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM)
  const last = points.findLast(({ value }) => value !== undefined)?.value
  return (
    <figure class="plot">
      <figcaption>
        {title}{" "}
        <span class="quiet">
          {last === undefined ? "nothing yet" : whole ? plural(last, unit) : `${Number(last.toFixed(2))} ${unit}`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}, last ${last ?? "none"} ${unit}, at most ${most}`}
      >
        {[0, most / 2, most].map((value) => (
          <g key={value}>
            <line class="grid-line" x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {Number(value.toPrecision(3))}
              {value === most && !whole ? ` ${unit}` : ""}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 6}>
          {clock(from)}
        </text>
        <text x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">
          {clock(to)}
        </text>
        <path class="area" d={formatPath(points, x, y, y(0))} />
        <path class="line" d={formatPath(points, x, y)} />
        {marks.map(({ at, kind, title }, i) => (
          <path
            key={i}
            class={`mark-${kind}`}
            d={
              kind === "again"
                ? `M${(x(at) - 4).toFixed(1)} ${y(0)}l4 -8l4 8z`
                : `M${(x(at) - 4).toFixed(1)} ${y(0) - 8}l8 8m0 -8l-8 8`
            }
          >
            <title>{`${title} at ${clock(at)}`}</title>
          </path>
        ))}
      </svg>
    </figure>
  )
}
