/** The live view of `ping`: a table with the statistics of each server, and with bars for the last pings of each server. */
import * as Effect from "effect/Effect"
import { type Palette, displayWidth, safe } from "../output/text.ts"
import { type Column, fitting, right, widthOfAll } from "../output/table.ts"
import { type Frame, type ScreenCanvas, scrolled } from "../live/frame.ts"
import { runView } from "../live/screen.ts"
import { duration, milliseconds, plural } from "../view/quantities.ts"
import type { Series } from "./series.ts"
import { PingTally } from "./statistics.ts"

const KEYS = [
  ["p", "pause"],
  ["r", "restart"]
] as const

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
const LOST = "×"
/** Minimum number of bars per server. If fewer bars fit on the terminal, no bars are shown. */
const MIN_BARS = 8

/**
 * Formats the last pings of a server: a bar for each round-trip time, and a mark for each lost ping. The longest of these times has the
 * highest bar.
 */
export const sparkline = (recent: ReadonlyArray<number | undefined>, columns: number): string => {
  const shown = recent.slice(-columns)
  const longest = Math.max(...shown.map((ms) => ms ?? 0), Number.MIN_VALUE)
  return shown
    .map((ms) => (ms === undefined ? LOST : BARS[Math.min(BARS.length - 1, Math.floor((ms / longest) * BARS.length))]))
    .join("")
}

const barsIn =
  (columns: number): Column<Series>["cell"] =>
  ({ tally }, { bad, good }) => ({
    text: sparkline(tally.recent, columns),
    paint: (shown) => shown.replaceAll(/×+|[▁-█]+/g, (run) => (run.startsWith(LOST) ? bad(run) : good(run)))
  })

const number = (ms: number | undefined): string => (ms === undefined ? "–" : milliseconds(ms).replace(" ms", ""))

/** Short names of failures, which fit into a column of numbers. */
const PROBLEMS: Readonly<Record<string, string>> = {
  Timeout: "lost",
  PortClosed: "closed",
  Unresolved: "no name",
  SendFailed: "unsent",
  Refused: "refused"
}

const lossPaint = (lossPercent: number, { bad, good, warning }: Palette) =>
  lossPercent === 0 ? good : lossPercent < 10 ? warning : bad

const measure = (title: string, spare: number, cell: Column<Series>["cell"]): Column<Series> =>
  right(title, cell, { spare, width: 7 })

const NAME: Column<Series> = { title: "server", width: 21, flexible: true, cell: ({ target }) => safe(target.name) }

const COLUMNS: ReadonlyArray<Column<Series>> = [
  NAME,
  measure("loss", 0, ({ tally: { lossPercent, sent } }, palette) =>
    sent === 0 ? "–" : { text: `${lossPercent.toFixed(1)} %`, paint: lossPaint(lossPercent, palette) }
  ),
  measure("sent", 3, ({ tally }) => String(tally.sent)),
  measure("last", 0, ({ lastError, tally }, palette) => {
    const last = tally.recent.at(-1)
    if (last !== undefined || lastError === undefined) return number(last)
    return { text: PROBLEMS[lastError._tag] ?? "failed", paint: palette.bad }
  }),
  measure("avg", 1, ({ tally }) => number(tally.statistics.avgMs)),
  measure("best", 4, ({ tally }) => number(tally.statistics.minMs)),
  measure("worst", 2, ({ tally }) => number(tally.statistics.maxMs)),
  measure("stdev", 5, ({ tally }) => number(tally.received > 0 ? tally.times.deviationMs : undefined))
]

/**
 * Returns the columns that fit on the terminal. If the terminal is too narrow for all columns, server names are truncated. If the columns
 * are still too wide, some columns with numbers are dropped. The bars fill the width that the other columns do not use.
 */
const columnsFor = (rows: ReadonlyArray<Series>, columns: number): ReadonlyArray<Column<Series>> => {
  const [, ...measures] = fitting(COLUMNS, columns)
  const room = columns - widthOfAll([...measures, { width: 0 }])
  const width = Math.min(room, Math.max(NAME.width!, ...rows.map(({ target }) => displayWidth(target.name))))
  const bars = columns - widthOfAll([{ width }, ...measures, { width: 0 }])
  return [{ ...NAME, width }, ...measures, ...(bars >= MIN_BARS ? [{ title: "", cell: barsIn(bars) }] : [])]
}

/** Returns the content of the live view. During a pause, `elapsedMs` must be `undefined`. */
export const pingFrame = (all: ReadonlyArray<Series>, elapsedMs: number | undefined, canvas: ScreenCanvas): Frame => ({
  title: `Round-trip times of ${plural(all.length, "server")}, in ms`,
  state: elapsedMs === undefined ? "paused" : duration(elapsedMs / 1000),
  body: scrolled(columnsFor(all, canvas.columns), all, canvas),
  keys: KEYS
})

/** Interval, in ms, at which a waiting ping checks whether the pause has ended. */
const PAUSE_MS = 100

/** Shows pings in the live view. If a ping is due during a pause, it is delayed until the pause ends. */
export const showPings = <E, R>(
  all: ReadonlyArray<Series>,
  pings: (pause: Effect.Effect<void>) => Effect.Effect<void, E, R>
) => {
  const begun = Date.now()
  let isPaused = false
  const onKey = (key: string): void => {
    if (key === "p") isPaused = !isPaused
    else if (key === "r") for (const series of all) series.tally = new PingTally()
  }
  const frame = (canvas: ScreenCanvas) => pingFrame(all, isPaused ? undefined : Date.now() - begun, canvas)
  const pause: Effect.Effect<void> = Effect.suspend(() =>
    isPaused ? Effect.andThen(Effect.sleep(PAUSE_MS), pause) : Effect.void
  )
  return runView({ frame, onKey }, pings(pause))
}
