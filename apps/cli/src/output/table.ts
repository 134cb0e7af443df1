/**
 * Tables for people: columns as wide as their widest cell, one of them giving way when the terminal is narrow; and pairs of name and
 * value in as many columns as the terminal has room for, read downwards like a dictionary.
 */
import { displayWidth, fit, padEnd, padStart, wrap } from "./text.ts"
import type { Paint, Palette } from "./colours.ts"

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

/** A name and its value, both safe text. */
export interface Pair {
  readonly name: string
  readonly value: string
}

const PAIR_GAP = 3
const MAX_COLUMNS = 4

/** Part of the pairs that must fit a column for there to be so many columns; the others follow below, in lines of their own. */
const FITTING_SHARE = 0.85

/** Name and value need a blank between them. */
const widthOf = (pair: Pair): number => displayWidth(pair.name) + 1 + displayWidth(pair.value)

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
 * Lines of the pairs: those that fit a column in columns and in order, values at the right; then the longer ones likewise in fewer
 * columns, and last what is wider than the terminal, wrapped and whole.
 */
export const inColumns = (
  pairs: ReadonlyArray<Pair>,
  options: { readonly width: number; readonly palette: Palette; readonly indent?: string }
): ReadonlyArray<string> => {
  const indent = options.indent ?? ""
  const room = options.width - indent.length
  const columns = columnCount(pairs.map(widthOf), room)
  const limit = columnWidth(room, columns)
  const short = pairs.filter((pair) => widthOf(pair) <= limit)
  const rows = Math.ceil(short.length / columns)
  const widths = Array.from({ length: columns }, (_, column) =>
    short.slice(column * rows, (column + 1) * rows).reduce((width, pair) => Math.max(width, widthOf(pair)), 0)
  )
  const cell = (pair: Pair | undefined, width: number): string =>
    pair === undefined ? "" : options.palette.faint(pair.name) + padStart(pair.value, width - displayWidth(pair.name))
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = widths.map((width, column) => cell(short[column * rows + row], width))
    return (indent + cells.join(" ".repeat(PAIR_GAP))).trimEnd()
  })
  const long = pairs.filter((pair) => widthOf(pair) > limit)
  return columns > 1 && long.length > 0
    ? [...lines, ...inColumns(long, options)]
    : [...lines, ...long.flatMap((pair) => wrapped(pair, options.width, indent, options.palette))]
}
