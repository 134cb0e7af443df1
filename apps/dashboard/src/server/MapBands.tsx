/**
 * Shows the maps of a server as coloured bands above the plot of its players, on the time axis of this plot. Changes of the server's name
 * and version are shown as marks.
 */
import type { ChangeRow } from "@sourcewire/monitor/api"
import { formatDate, isolated, percent } from "../words.ts"
import { type Band, sumShares, chooseTint } from "./bands.ts"
import { formatPosition, Marks } from "@sourcewire/ui/plot"
import type { Span } from "@sourcewire/ui/spans"

/** Maximum number of bands. With more bands, readers could not distinguish them. */
const MOST_BANDS = 120
/**
 * If there are more than {@link MOST_BANDS} bands, a summary replaces the bands. The summary lists at most this number of maps: the maps
 * that the server ran for the longest time.
 */
const NAMED = 4
const TINTS = 6

export const MapBands = ({ bands, span }: { readonly bands: ReadonlyArray<Band>; readonly span: Span }) => {
  if (bands.length === 0) return null
  if (bands.length > MOST_BANDS) {
    return (
      <p class="axis quiet maps">
        {bands.length - 1} map changes. Longest:{" "}
        {sumShares(bands)
          .slice(0, NAMED)
          .map(([map, share], i) => (
            <span key={map}>
              {i > 0 && ", "}
              <bdi>{map}</bdi> {percent(100 * share)}
            </span>
          ))}
      </p>
    )
  }
  return (
    <ol class="axis bands" aria-label="Maps">
      {bands.map(({ map, span: [from, to] }) => (
        <li
          key={from}
          class={`tint-${chooseTint(map, TINTS)}`}
          style={{ left: formatPosition(from, span), width: `${(100 * (to - from)) / (span[1] - span[0])}%` }}
          title={`${isolated(map)}\n${formatDate(from * 1000)} to ${formatDate(to * 1000)}`}
        >
          <bdi>{map}</bdi>
        </li>
      ))}
    </ol>
  )
}

const TITLES: Readonly<Partial<Record<ChangeRow["field"], string>>> = { version: "Version", name: "Name" }

/** Shows the changes of a server's name and version as small marks. Outages have no marks, because the plot itself shows them. */
export const EventMarks = ({ changes, span }: { readonly changes: ReadonlyArray<ChangeRow>; readonly span: Span }) => {
  const marks = changes.map(({ at, field, from, id, to }) => ({
    key: id,
    at: at / 1000,
    text: `${TITLES[field] ?? field}: ${isolated(from)} → ${isolated(to)}, ${formatDate(at)}`
  }))
  return <Marks label="Changes of name and version" marks={marks} span={span} />
}
