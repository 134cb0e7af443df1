/** Tables for people: columns as wide as their widest cell, one of them giving way when the terminal is narrow. */
import { displayWidth, fit, padEnd, padStart } from "./text.ts"
import type { Paint, Palette } from "./palette.ts"

/** One column. */
export interface Column {
  readonly title: string
  /** Numbers stand at the right. */
  readonly align?: "left" | "right"
  /** Shrinks first; at most one column. */
  readonly flexible?: boolean
}

/** A cell: safe text, and how to paint it once it has its width. */
export type Cell = string | { readonly text: string; readonly paint: Paint }

const GAP = "  "
const MIN_FLEXIBLE = 8

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)

const render = (cell: Cell, width: number, column: Column): string => {
  const text = fit(textOf(cell), width)
  const padded = column.align === "right" ? padStart(text, width) : padEnd(text, width)
  return typeof cell === "string" ? padded : cell.paint(padded)
}

/** Lines of a table with a faint heading. */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  options: { readonly width: number; readonly palette: Palette; readonly indent?: string }
): ReadonlyArray<string> => {
  const indent = options.indent ?? ""
  const widths = columns.map((column, i) =>
    rows.reduce((width, row) => Math.max(width, displayWidth(textOf(row[i]!))), displayWidth(column.title))
  )
  const flexible = columns.findIndex((column) => column.flexible === true)
  if (flexible !== -1) {
    const total = widths.reduce((sum, width) => sum + width, indent.length + GAP.length * (columns.length - 1))
    widths[flexible] = Math.max(MIN_FLEXIBLE, widths[flexible]! - Math.max(0, total - options.width))
  }
  const line = (cells: ReadonlyArray<Cell>): string =>
    indent + cells.map((cell, i) => render(cell, widths[i]!, columns[i]!)).join(GAP)
  const titles = columns.map((column): Cell => ({ text: column.title, paint: options.palette.faint }))
  return [line(titles), ...rows.map(line)].map((text) => text.trimEnd())
}
