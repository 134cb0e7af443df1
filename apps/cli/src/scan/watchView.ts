/** A watched scan as a table: who answers, what is played there, what has changed. */
import { type Frame, type ScreenCanvas, scrolled } from "../live/frame.ts"
import { type Palette, fit, inColours, safe } from "../output/text.ts"
import { type Column, fitting, left, right, widthOfAll } from "../output/table.ts"
import { counted, duration, milliseconds } from "../view/quantities.ts"
import type { Watched, WatchedServer } from "./watched.ts"

export interface WatchState {
  readonly watched: Watched
  readonly everyMs: number
  /** What the round under way has come to; nothing between two rounds. */
  progress: string | undefined
  /** When the next round begins, ms since 1970. */
  nextAt: number
  /** What this machine has to tell besides. */
  warning: string | undefined
  /** The filter is being typed; what is wrong with it so far. */
  typing: { readonly problem: string | undefined } | undefined
}

const KEYS = [
  ["/", "filter"],
  ["←→", "sort"],
  ["r", "reverse"],
  ["c", "changed only"],
  ["s", "silent too"],
  ["n", "ask now"]
] as const

type Cell = Column<WatchedServer>["cell"]

/** Faint where the server is gone: then it is what it said last. */
const live =
  (textOf: (server: WatchedServer) => string): Cell =>
  (server, { faint }) =>
    server.isAlive ? textOf(server) : { text: textOf(server), paint: faint }

const ago = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms / 1000)).padEnd(6)

const playersOf = ({ line: { info } }: WatchedServer): string =>
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

const columnsOf = (round: number, now: number): ReadonlyArray<Column<WatchedServer>> => [
  left("address", ({ address, isAlive }, { bad, strong }) => ({ text: safe(address), paint: isAlive ? strong : bad }), {
    width: 21
  }),
  right("ms", ({ isAlive, line }) => (isAlive ? milliseconds(line.rttMs!).replace(" ms", "") : "–"), {
    width: 6,
    spare: 2
  }),
  right("players", live(playersOf), { width: 9, spare: 1 }),
  left(
    "map",
    live(({ line: { info } }) => safe(info?.map ?? "")),
    { width: 18, spare: 4 }
  ),
  left("name", nameCell, { width: 12 }),
  left("changed", changeCell(round, now), { width: 24, spare: 3 })
]

/** The columns that there is room for; the name has what is left, and the one that is sorted by says which way. */
const columnsFor = (watched: Watched, columns: number, now: number): ReadonlyArray<Column<WatchedServer>> => {
  const { descending, round, sortKey } = watched
  const shown = fitting(columnsOf(round, now), columns)
  const room = Math.max(0, columns - widthOfAll(shown))
  return shown.map(({ title, width, ...rest }) => ({
    ...rest,
    title: title === sortKey ? `${title} ${descending ? "▼" : "▲"}` : title,
    width: width! + (title === "name" ? room : 0)
  }))
}

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

/** The view; of the servers, only those that are seen are looked at. */
export const watchFrame = (state: WatchState, canvas: ScreenCanvas, now: number): Frame => {
  const { columns, palette } = canvas
  const { everyMs, nextAt, progress, watched } = state
  const { list } = watched
  const next = progress === undefined ? `next in ${duration(Math.max(0, nextAt - now) / 1000)}` : "asking"
  const { known } = watched.counts
  return {
    title: `${list.length === known ? "" : `${counted(list.length)} of `}${counted(known)} servers, asked every ${everyMs / 1000} s`,
    state: `round ${watched.round} · ${next}`,
    status: statusOf(state, palette, columns),
    body: scrolled(columnsFor(watched, columns, now), list, canvas),
    keys: KEYS,
    prompt: promptOf(state, canvas)
  }
}
