/**
 * Name and value pairs in as many columns as the terminal has room for, read downwards like a dictionary.
 *
 * @module
 */
import type { Palette } from "./palette.ts"
import { displayWidth, padEnd, wrap } from "./text.ts"

/** A name and its value, both safe text. */
export interface Pair {
  readonly name: string
  readonly value: string
}

const GAP = 3

interface Grid {
  readonly rows: number
  readonly widths: ReadonlyArray<{ readonly name: number; readonly value: number }>
}

const widest = (texts: ReadonlyArray<string>): number =>
  texts.reduce((max, text) => Math.max(max, displayWidth(text)), 0)

const grid = (pairs: ReadonlyArray<Pair>, columns: number): Grid => {
  const rows = Math.ceil(pairs.length / columns)
  const widths = Array.from({ length: Math.ceil(pairs.length / rows) }, (_, i) => {
    const column = pairs.slice(i * rows, (i + 1) * rows)
    return { name: widest(column.map((pair) => pair.name)), value: widest(column.map((pair) => pair.value)) }
  })
  return { rows, widths }
}

const total = (layout: Grid): number =>
  layout.widths.reduce((sum, { name, value }) => sum + name + 1 + value + GAP, -GAP)

/** The grid with most columns that is not wider than `width`; `undefined` when not even one column is. */
const widestGrid = (pairs: ReadonlyArray<Pair>, width: number): Grid | undefined => {
  for (let columns = Math.min(6, pairs.length); columns > 0; columns--) {
    const layout = grid(pairs, columns)
    if (total(layout) <= width) return layout
  }
  return undefined
}

const wrapped = (pair: Pair, width: number, indent: string, palette: Palette): ReadonlyArray<string> => {
  const [first = "", ...rest] = wrap(`${pair.name} ${pair.value}`, width - indent.length - 2)
  const name = first.slice(0, pair.name.length)
  return [indent + palette.faint(name) + first.slice(name.length), ...rest.map((line) => `${indent}  ${line}`)]
}

/** Lines of the pairs: those that fit half the width in columns and in order, then the long ones, wrapped and whole. */
export const inColumns = (
  pairs: ReadonlyArray<Pair>,
  options: { readonly width: number; readonly palette: Palette; readonly indent?: string }
): ReadonlyArray<string> => {
  const indent = options.indent ?? ""
  const room = options.width - indent.length
  const isShort = (pair: Pair): boolean => displayWidth(pair.name) + 1 + displayWidth(pair.value) <= (room - GAP) / 2
  const short = pairs.filter(isShort)
  const layout = short.length === 0 ? undefined : widestGrid(short, room)
  const lines: Array<string> = []
  for (let row = 0; row < (layout?.rows ?? 0); row++) {
    const cells = layout!.widths.map(({ name, value }, column) => {
      const pair = short[column * layout!.rows + row]
      return pair === undefined ? "" : `${options.palette.faint(padEnd(pair.name, name))} ${padEnd(pair.value, value)}`
    })
    lines.push((indent + cells.join(" ".repeat(GAP))).trimEnd())
  }
  const long = layout === undefined ? pairs : pairs.filter((pair) => !isShort(pair))
  return [...lines, ...long.flatMap((pair) => wrapped(pair, options.width, indent, options.palette))]
}
