/** The live view of `scan --watch`. It shows a table of servers with their changes, or one opened server. */
import { type Frame, FRAME_ROWS, MARK_COLUMNS, type ScreenCanvas, selectable } from "../live/frame.ts"
import { type Palette, fit, inColours, safe } from "../output/text.ts"
import { type Column, fitting, left, right, widthOfAll } from "../output/table.ts"
import { counted, duration, milliseconds } from "../view/quantities.ts"
import type { Watched, WatchedServer } from "./watched.ts"

export interface WatchState {
  readonly watched: Watched
  readonly intervalMs: number
  /** The progress of the current round. `undefined` between two rounds. */
  progress: string | undefined
  /** The time when the next round begins, in ms since 1970. */
  nextAt: number
  /** The first warning in the summary of the last round. */
  warning: string | undefined
  /**
   * Present while the user types the filter. If the filter is invalid, `problem` explains the error. Otherwise, `problem` is `undefined`.
   */
  typing: { readonly problem: string | undefined } | undefined
  /**
   * The address of the selected server. Until the user moves the selection, this address is `undefined`, and the first server of the list
   * is selected.
   */
  selected: string | undefined
  /** The opened server, which is shown in place of the table. */
  opened: OpenedServer | undefined
}

/** A server that the user has opened. Its card shows its replies to INFO, PLAYER and RULES. */
export interface OpenedServer {
  readonly address: string
  /** The time when the last query of the server ended, in ms since 1970. `undefined` while the server is being queried. */
  readonly queriedAt: number | undefined
  /** Returns the lines of the server's card, with the size and the colours of `canvas`. */
  readonly card: (canvas: ScreenCanvas) => ReadonlyArray<string>
}

const KEYS = [
  ["Enter", "open"],
  ["/", "filter"],
  ["←→", "sort"],
  ["r", "reverse"],
  ["c", "changed only"],
  ["s", "failed too"],
  ["n", "query now"]
] as const

const OPENED_KEYS = [
  ["Esc", "back"],
  ["n", "query now"]
] as const

type Cell = Column<WatchedServer>["cell"]

/** A cell with a value from the last reply of a server. If the server did not respond to the last query, the cell is faint. */
const live =
  (textOf: (server: WatchedServer) => string): Cell =>
  (server, { faint }) =>
    server.isAlive ? textOf(server) : { text: textOf(server), paint: faint }

const ago = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms / 1000)).padEnd(6)

const formatPlayers = ({ line: { info } }: WatchedServer): string =>
  info?.players === undefined ? "" : `${info.players}/${info.maxPlayers}`

const nameCell: Cell = (server, palette) => {
  const name = inColours(server.line.info?.name ?? "", palette)
  return server.isAlive ? name : { ...name, paint: palette.faint }
}

const changeCell =
  (round: number, now: number): Cell =>
  ({ change, changedAt, changedIn, isAlive }, { accent, bad, faint }) => ({
    text: change === "" ? "" : ago(now - changedAt) + change,
    paint: changedIn === round ? (isAlive ? accent : bad) : faint
  })

const allColumns = (round: number, now: number): ReadonlyArray<Column<WatchedServer>> => [
  left("address", ({ address, isAlive }, { bad, strong }) => ({ text: safe(address), paint: isAlive ? strong : bad }), {
    width: 21
  }),
  right(
    "ms",
    ({ isAlive, line }) => (isAlive && line.rttMs !== undefined ? milliseconds(line.rttMs).replace(" ms", "") : "–"),
    {
      width: 6,
      spare: 2
    }
  ),
  right("players", live(formatPlayers), { width: 9, spare: 1 }),
  left(
    "map",
    live(({ line: { info } }) => safe(info?.map ?? "")),
    { width: 16, spare: 4 }
  ),
  left("name", nameCell, { width: 12 }),
  left("changed", changeCell(round, now), { width: 22, spare: 3 })
]

/**
 * The columns that fit on the terminal. The column `name` fills the remaining width. An arrow after the title of the sorted column shows
 * whether the order is ascending or descending.
 */
const columnsFor = (watched: Watched, columns: number, now: number): ReadonlyArray<Column<WatchedServer>> => {
  const { descending, round, sortKey } = watched
  // If the terminal is too narrow for all columns, some columns are dropped. The column `name` is dropped last. The column `address` and
  // the sorted column are never dropped.
  const all = allColumns(round, now).map((one) =>
    one.title === sortKey ? { ...one, spare: 0 } : one.title === "name" ? { ...one, spare: 0.5 } : one
  )
  const shown = fitting(all, columns)
  const room = Math.max(0, columns - widthOfAll(shown))
  const over = Math.max(0, widthOfAll(shown) - columns)
  return shown.map(({ title, width, ...rest }) => ({
    ...rest,
    title: title === sortKey ? `${title} ${descending ? "▼" : "▲"}` : title,
    width: width! + (title === "name" ? room : 0) - (title === sortKey ? over : 0)
  }))
}

const formatStatus = ({ progress, warning, watched }: WatchState, palette: Palette, columns: number): string => {
  if (progress !== undefined) return palette.faint(fit(progress, columns))
  if (warning !== undefined) return palette.warning(fit(warning, columns))
  const { alive, changed, known } = watched.counts
  const { changedOnly, silentToo } = watched
  const toggles = `${changedOnly ? "changed only · " : ""}${silentToo ? "failed too · " : ""}`
  return fit(
    `${toggles}${counted(alive)} of ${counted(known)} respond, ${counted(changed)} changed in this round`,
    columns
  )
}

const formatPrompt = ({ typing, watched }: WatchState, { columns, palette }: ScreenCanvas): string | undefined => {
  if (typing === undefined) {
    return watched.filter === "" ? undefined : fit(`/${safe(watched.filter)}  Esc clears the filter`, columns)
  }
  const { problem } = typing
  const typed = fit(`/${safe(watched.filter)}▏`, columns)
  const help = problem ?? 'words, or an expression of --where: players > 0 && map == "de_dust2"'
  return `${typed}  ${(problem === undefined ? palette.faint : palette.bad)(fit(safe(help), Math.max(0, columns - typed.length - 2)))}`
}

/** Shows one server in place of the table. */
const openedFrame = ({ address, card, queriedAt }: OpenedServer, canvas: ScreenCanvas, now: number): Frame => ({
  title: safe(address),
  state: queriedAt === undefined ? "querying" : `queried ${duration((now - queriedAt) / 1000)} ago`,
  body: canvas.scrolling.window(card(canvas), canvas.rows - FRAME_ROWS),
  keys: OPENED_KEYS
})

/**
 * Returns the row of the cursor: the row of the selected server. If this server is no longer in the list, the cursor stays in its current
 * row.
 */
const cursorIn = ({ selected, watched: { list } }: WatchState, { scrolling }: ScreenCanvas): number => {
  if (selected === undefined) return 0
  const index = list.findIndex(({ address }) => address === selected)
  return index === -1 ? (scrolling.cursor ?? 0) : index
}

/** The content of the view. Only the rows that are visible on the terminal are formatted. */
export const watchFrame = (state: WatchState, canvas: ScreenCanvas, now: number): Frame => {
  if (state.opened !== undefined) return openedFrame(state.opened, canvas, now)
  const { columns, palette } = canvas
  const { intervalMs, nextAt, progress, watched } = state
  const { list } = watched
  const next = progress === undefined ? `next in ${duration(Math.max(0, nextAt - now) / 1000)}` : "querying"
  const { known } = watched.counts
  return {
    title: `${list.length === known ? "" : `${counted(list.length)} of `}${counted(known)} servers, queried every ${intervalMs / 1000} s`,
    state: `round ${watched.round} · ${next}`,
    status: formatStatus(state, palette, columns),
    body: selectable(columnsFor(watched, columns - MARK_COLUMNS, now), list, canvas, cursorIn(state, canvas)),
    keys: KEYS,
    arrows: "select",
    prompt: formatPrompt(state, canvas)
  }
}
