/** A watched scan as a table: who answers, what is played there, what has changed. */
import { type ScreenCanvas, FRAME_ROWS, frame } from "../live/frame.ts"
import { type PaintedText, type Palette, inColours, fit, safe } from "../output/text.ts"
import { type Column, table } from "../output/table.ts"
import { counted, duration, milliseconds } from "../view/quantities.ts"
import { type SortKey, type Watched, type WatchedServer, infoOf } from "./watched.ts"

/** What the view shows besides the servers. */
export interface WatchState {
  readonly watched: Watched
  readonly everyMs: number
  /** What the round under way has come to; nothing between two rounds. */
  readonly progress: string | undefined
  /** When the next round begins, ms since 1970. */
  readonly nextAt: number
  /** What this machine has to tell besides. */
  readonly warning: string | undefined
  /** The filter is being typed; what is wrong with it so far. */
  readonly typing: { readonly problem: string | undefined } | undefined
}

const KEYS = [
  ["/", "filter"],
  ["←→", "sort"],
  ["r", "reverse"],
  ["c", "changed only"],
  ["s", "silent too"],
  ["n", "ask now"]
] as const

interface WatchColumn {
  readonly key: SortKey
  readonly width: number
  /** Those with the highest go first where the terminal is narrow. */
  readonly spare: number
  readonly align?: "left" | "right"
}

const COLUMNS: ReadonlyArray<WatchColumn> = [
  { key: "address", width: 21, spare: 0 },
  { key: "ms", width: 6, spare: 2, align: "right" },
  { key: "players", width: 9, spare: 1, align: "right" },
  { key: "map", width: 18, spare: 4 },
  { key: "name", width: 12, spare: 0 },
  { key: "changed", width: 24, spare: 3 }
]
const GAP = 2
const CHANGED_AGO = 6

/** The columns that there is room for; the name has what is left. */
const columnsFor = (columns: number): ReadonlyArray<WatchColumn> => {
  let shown = COLUMNS
  const total = () => shown.reduce((sum, { width }) => sum + width + GAP, -GAP)
  for (let spare = 4; spare > 0 && total() > columns; spare--) shown = shown.filter((column) => column.spare !== spare)
  const room = Math.max(0, columns - total())
  return shown.map((column) => (column.key === "name" ? { ...column, width: column.width + room } : column))
}

/** The keys that can be sorted by, from left to right. */
export const SORT_KEYS: ReadonlyArray<SortKey> = COLUMNS.map(({ key }) => key)

const ago = (ms: number): string =>
  (ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms / 1000)).padEnd(CHANGED_AGO)

const cellOf = (server: WatchedServer, key: SortKey, state: WatchState, palette: Palette, now: number): PaintedText => {
  const { faint, strong, accent, bad } = palette
  const { change, changedAt, changedIn, isAlive, line } = server
  const info = infoOf(server)
  const live = isAlive ? (text: string) => text : faint
  switch (key) {
    case "address":
      return { text: safe(server.address), paint: isAlive ? strong : bad }
    case "ms":
      return { text: isAlive ? milliseconds(Number(line["rttMs"])).replace(" ms", "") : "–", paint: live }
    case "players":
      return { text: info.players === undefined ? "" : `${info.players}/${info.maxPlayers}`, paint: live }
    case "map":
      return { text: safe(info.map ?? ""), paint: live }
    case "name":
      return isAlive ? inColours(info.name ?? "", palette) : { ...inColours(info.name ?? "", palette), paint: faint }
    case "changed": {
      const paint = changedIn === state.watched.round ? (isAlive ? accent : bad) : faint
      return { text: change === "" ? "" : ago(now - changedAt) + change, paint }
    }
  }
}

const titleOf = (key: SortKey, { descending, sortKey }: Watched): string =>
  key === sortKey ? `${key} ${descending ? "▼" : "▲"}` : key

const statusOf = ({ progress, warning, watched }: WatchState, palette: Palette, columns: number): string => {
  if (progress !== undefined) return palette.faint(fit(progress, columns))
  if (warning !== undefined) return palette.warning(fit(warning, columns))
  const { alive, changed, known } = watched.counts
  return fit(`${counted(alive)} of ${counted(known)} answer, ${counted(changed)} changed in this round`, columns)
}

const promptOf = ({ typing, watched }: WatchState, { columns, palette }: ScreenCanvas): string | undefined => {
  if (typing === undefined) {
    return watched.filter === "" ? undefined : fit(`/${safe(watched.filter)}  Esc shows all again`, columns)
  }
  const { problem } = typing
  const typed = fit(`/${safe(watched.filter)}▏`, columns)
  const help = problem ?? 'words, or as --where takes it: players > 0 && map == "de_dust2"'
  return `${typed}  ${(problem === undefined ? palette.faint : palette.bad)(fit(safe(help), Math.max(0, columns - typed.length - 2)))}`
}

/** The lines of the view; of the servers, only those that are seen are looked at. */
export const watchLines = (state: WatchState, canvas: ScreenCanvas, now: number): ReadonlyArray<string> => {
  const { columns, palette, rows, scrolling } = canvas
  const { watched } = state
  const { list } = watched
  const shown = columnsFor(columns)
  const columnsShown = shown.map(({ key, width, align = "left" }): Column<WatchedServer> => ({
    title: titleOf(key, watched),
    width,
    align,
    cell: (server) => {
      const { paint, text } = cellOf(server, key, state, palette, now)
      return { text: fit(text, width), paint }
    }
  }))
  const next = state.progress === undefined ? `next in ${duration(Math.max(0, state.nextAt - now) / 1000)}` : "asking"
  const { known } = watched.counts
  return frame(
    {
      title: `${list.length === known ? "" : `${counted(list.length)} of `}${counted(known)} servers, asked every ${state.everyMs / 1000} s`,
      state: `round ${watched.round} · ${next}`,
      status: statusOf(state, palette, columns),
      body: table(columnsShown, scrolling.window(list, rows - FRAME_ROWS - 1), canvas),
      keys: KEYS,
      prompt: promptOf(state, canvas)
    },
    canvas
  )
}
