/** Round trips as they are measured: a table that grows no longer, with the last ones as a line of bars. */
import * as Effect from "effect/Effect"
import { type Palette, displayWidth, safe } from "../output/text.ts"
import { type Column, table } from "../output/table.ts"
import { type ScreenCanvas, FRAME_ROWS, frame } from "../live/frame.ts"
import { show } from "../live/screen.ts"
import { duration, milliseconds, plural } from "../view/quantities.ts"
import type { AfterPing, Series } from "./runPing.ts"
import { PingTally } from "./statistics.ts"

export interface PingViewState {
  readonly rows: ReadonlyArray<Series>
  readonly elapsedMs: number
  readonly isPaused: boolean
}

const KEYS = [
  ["p", "pause"],
  ["r", "restart"]
] as const

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
const LOST = "×"
/** Of the bars, where there is room for some. */
const MIN_BARS = 8

/** The last round trips, the tallest bar for the longest of them; lost ones are marked. */
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

/** Why nothing came back, in the room of a number. */
const PROBLEMS: Readonly<Record<string, string>> = {
  Timeout: "lost",
  PortClosed: "closed",
  Unresolved: "no name",
  SendFailed: "unsent",
  Refused: "refused"
}

interface Measure extends Column<Series> {
  /** Those with the highest go first where the terminal is narrow. */
  readonly spare: number
}

const lossPaint = (lossPercent: number, { bad, good, warning }: Palette) =>
  lossPercent === 0 ? good : lossPercent < 10 ? warning : bad

const MEASURES: ReadonlyArray<Measure> = [
  {
    title: "loss",
    spare: 0,
    cell: ({ tally: { lossPercent, sent } }, palette) =>
      sent === 0 ? "–" : { text: `${lossPercent.toFixed(1)} %`, paint: lossPaint(lossPercent, palette) }
  },
  { title: "sent", spare: 3, cell: ({ tally }) => String(tally.sent) },
  {
    title: "last",
    spare: 0,
    cell: ({ lastError, tally }, palette) =>
      tally.recent.at(-1) === undefined && lastError !== undefined
        ? { text: PROBLEMS[lastError._tag] ?? "failed", paint: palette.bad }
        : number(tally.recent.at(-1))
  },
  { title: "avg", spare: 1, cell: ({ tally }) => number(tally.statistics.avgMs) },
  { title: "best", spare: 4, cell: ({ tally }) => number(tally.statistics.minMs) },
  { title: "worst", spare: 2, cell: ({ tally }) => number(tally.statistics.maxMs) },
  { title: "stdev", spare: 5, cell: ({ tally }) => number(tally.received > 0 ? tally.deviationMs : undefined) }
]

const NUMBER_COLUMNS = 7
const GAP = 2
const NAME_COLUMNS = 21

/** The measures that there is room for beside the name. */
const measuresFor = (columns: number): ReadonlyArray<Measure> => {
  const room = Math.floor((columns - NAME_COLUMNS) / (NUMBER_COLUMNS + GAP))
  const kept = new Set(MEASURES.toSorted((a, b) => a.spare - b.spare).slice(0, Math.max(2, room)))
  return MEASURES.filter((measure) => kept.has(measure))
}

export const pingLines = (
  { elapsedMs, isPaused, rows }: PingViewState,
  canvas: ScreenCanvas
): ReadonlyArray<string> => {
  const { columns, scrolling } = canvas
  const measures = measuresFor(columns)
  const room = columns - measures.length * (NUMBER_COLUMNS + GAP)
  const nameColumns = Math.min(room, Math.max(NAME_COLUMNS, ...rows.map(({ target }) => displayWidth(target.name))))
  const bars = room - nameColumns - GAP
  const hasBars = bars >= MIN_BARS
  const shown: ReadonlyArray<Column<Series>> = [
    { title: "server", width: nameColumns, flexible: true, cell: ({ target }) => safe(target.name) },
    ...measures.map((measure): Column<Series> => ({ ...measure, align: "right", width: NUMBER_COLUMNS })),
    ...(hasBars ? [{ title: "", cell: barsIn(bars) }] : [])
  ]
  return frame(
    {
      title: `Round trips of ${plural(rows.length, "server")}, in ms`,
      state: isPaused ? "paused" : duration(elapsedMs / 1000),
      body: table(shown, scrolling.window(rows, canvas.rows - FRAME_ROWS - 1), canvas),
      keys: KEYS
    },
    canvas
  )
}

const TICK_MS = 1000
/** How often it is looked whether a pause is over. */
const PAUSE_MS = 100

export const showPings = Effect.fnUntraced(function* <E, R>(
  all: ReadonlyArray<Series>,
  pings: (after: AfterPing) => Effect.Effect<void, E, R>
) {
  const begun = Date.now()
  let isPaused = false
  const onKey = (key: string): void => {
    if (key === "p") isPaused = !isPaused
    else if (key === "r") for (const series of all) series.tally = new PingTally()
  }
  const lines = (canvas: ScreenCanvas) => pingLines({ rows: all, elapsedMs: Date.now() - begun, isPaused }, canvas)
  const screen = yield* show({ lines, onKey }, TICK_MS)
  const pause: Effect.Effect<void> = Effect.suspend(() =>
    isPaused ? Effect.andThen(Effect.sleep(PAUSE_MS), pause) : Effect.void
  )
  const after: AfterPing = () => Effect.andThen(Effect.sync(screen.redraw), pause)
  yield* Effect.raceFirst(pings(after), screen.left)
})
