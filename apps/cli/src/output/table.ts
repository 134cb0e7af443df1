/**
 * Formats tables and lists of pairs. A pair consists of a name and a value. If the terminal is too narrow for a table, one flexible column
 * of the table is made narrower. Pairs are arranged in several columns, without changing their order.
 */
import { displayWidth, fit, padEnd, padStart, wrap, type PaintedText, type Palette } from "./text.ts"
import type { Canvas } from "./output.ts"

export interface Column<A> {
  readonly title: string
  /** Returns the content of this column's cell in the row of `one`. `index` is the number of the row, beginning with 0. */
  readonly cell: (one: A, palette: Palette, index: number) => Cell
  /** Alignment of the cells (default: `left`). For numbers, use `right`. */
  readonly align?: "left" | "right"
  /** Whether this column becomes narrower if the terminal is too narrow for the table. At most one column of a table can be flexible. */
  readonly flexible?: boolean
  /** Fixed width in characters (default: the width of the title or of the widest cell, whichever is larger). */
  readonly width?: number
  /**
   * If the terminal is too narrow for all columns, {@link fitting} drops the column with the highest number first. A column without a
   * number, or with the number 0, is never dropped.
   */
  readonly spare?: number
}

export const left = <A>(title: string, cell: Column<A>["cell"], more: Partial<Column<A>> = {}): Column<A> => ({
  title,
  cell,
  ...more
})

export const right = <A>(title: string, cell: Column<A>["cell"], more: Partial<Column<A>> = {}): Column<A> =>
  left(title, cell, { align: "right", ...more })

/** A cell: text that is safe for a terminal. A {@link PaintedText} also has a colour, which is applied after the text is padded. */
export type Cell = string | PaintedText

const GAP = "  "
const MIN_FLEXIBLE = 8

const cellText = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)

const render = (cell: Cell, width: number, align: "left" | "right" | undefined): string => {
  const text = fit(cellText(cell), width)
  const padded = align === "right" ? padStart(text, width) : padEnd(text, width)
  return typeof cell === "string" ? padded : cell.paint(padded)
}

export const table = <A>(
  columns: ReadonlyArray<Column<A>>,
  list: ReadonlyArray<A>,
  canvas: Canvas,
  indent = ""
): ReadonlyArray<string> => {
  const rows = list.map((one, index) => columns.map(({ cell }) => cell(one, canvas.palette, index)))
  const widths = columns.map(
    ({ title, width }, i) =>
      width ?? rows.reduce((most, row) => Math.max(most, displayWidth(cellText(row[i]!))), displayWidth(title))
  )
  const flexible = columns.findIndex((column) => column.flexible === true)
  if (flexible !== -1) {
    const total = widths.reduce((sum, width) => sum + width, indent.length + GAP.length * (columns.length - 1))
    widths[flexible] = Math.max(MIN_FLEXIBLE, widths[flexible]! - Math.max(0, total - canvas.columns))
  }
  const line = (cells: ReadonlyArray<Cell>): string =>
    indent + cells.map((cell, i) => render(cell, widths[i]!, columns[i]!.align)).join(GAP)
  const titles = columns.map((column): Cell => ({ text: column.title, paint: canvas.palette.faint }))
  return [line(titles), ...rows.map(line)].map((text) => text.trimEnd())
}

/**
 * Returns the columns that fit into a line of `room` characters. Drops the columns with the highest `spare` first, until the remaining
 * columns fit.
 */
export const fitting = <A>(columns: ReadonlyArray<Column<A>>, room: number): ReadonlyArray<Column<A>> => {
  const most = Math.max(...columns.map(({ spare = 0 }) => spare))
  if (most === 0 || widthOfAll(columns) <= room) return columns
  const others = columns.filter(({ spare }) => spare !== most)
  return fitting(others, room)
}

export const widthOfAll = (columns: ReadonlyArray<{ readonly width?: number }>): number =>
  columns.reduce((sum, { width = 0 }) => sum + width + GAP.length, -GAP.length)

/** A name and its value. Both texts are safe for a terminal. */
export interface Pair {
  readonly name: string
  readonly value: string
}

const PAIR_GAP = 3
const MAX_COLUMNS = 4

/**
 * If there are more columns, each column is narrower. Therefore pairs are arranged in the largest number of columns at which at least this
 * share of the pairs fits into one column each.
 */
const FITTING_SHARE = 0.85

const pairWidth = (pair: Pair): number => displayWidth(pair.name) + 1 + displayWidth(pair.value)

const columnWidth = (room: number, columns: number): number => Math.floor((room - PAIR_GAP * (columns - 1)) / columns)

const columnCount = (widths: ReadonlyArray<number>, room: number): number => {
  for (let columns = Math.min(MAX_COLUMNS, widths.length); columns > 1; columns--) {
    const limit = columnWidth(room, columns)
    if (widths.filter((width) => width <= limit).length >= widths.length * FITTING_SHARE) return columns
  }
  return 1
}

const wrapped = (pair: Pair, width: number, indent: string, palette: Palette): ReadonlyArray<string> => {
  const [first = "", ...rest] = wrap(`${pair.name} ${pair.value}`, width - indent.length - 2)
  const name = first.slice(0, pair.name.length)
  return [indent + palette.faint(name) + first.slice(name.length), ...rest.map((line) => `${indent}  ${line}`)]
}

/**
 * Arranges pairs in columns, from left to right. Within a column, names are aligned to the left, and values are aligned to the right. A
 * pair that is too long for one column spans several columns. A pair that is wider than the terminal is wrapped.
 */
export const inColumns = (pairs: ReadonlyArray<Pair>, canvas: Canvas, indent = ""): ReadonlyArray<string> => {
  const room = canvas.columns - indent.length
  const widths = pairs.map(pairWidth)
  const columns = columnCount(widths, room)
  const limit = columnWidth(room, columns)
  const column = widths.reduce((most, width) => (width > limit ? most : Math.max(most, width)), 1)
  const lines: Array<string> = []
  let cells: Array<string> = []
  let used = 0
  const endLine = (): void => {
    if (used > 0) lines.push(indent + cells.join(" ".repeat(PAIR_GAP)))
    cells = []
    used = 0
  }
  for (const pair of pairs) {
    const span = Math.ceil((pairWidth(pair) + PAIR_GAP) / (column + PAIR_GAP))
    if (used + span > columns) endLine()
    if (span > columns) lines.push(...wrapped(pair, canvas.columns, indent, canvas.palette))
    else {
      const width = span * (column + PAIR_GAP) - PAIR_GAP
      cells.push(canvas.palette.faint(pair.name) + padStart(pair.value, width - displayWidth(pair.name)))
      used += span
    }
  }
  endLine()
  return lines
}
