/**
 * Finds broken tables in Markdown. A row is broken if it has more or fewer cells than the header, does not begin with a pipe, or does not
 * follow a header and a separator line.
 */

/** A table row that is broken. */
export interface BrokenRow {
  readonly line: number
  readonly problem: string
}

const SEPARATOR = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/

/** Returns the number of cells in a row. An escaped pipe (`\|`) is part of a cell. */
const countCells = (row: string): number =>
  row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/).length

/** Returns the broken rows of all tables in a text. The first line of the text has the number 1. */
export const brokenTables = (text: string): ReadonlyArray<BrokenRow> => {
  const found: Array<BrokenRow> = []
  const lines = text.split("\n")
  let isCode = false
  let columns: number | undefined
  for (const [index, line] of lines.entries()) {
    const report = (problem: string): void => void found.push({ line: index + 1, problem })
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    const isRow = !isCode && line.trimStart().startsWith("|")
    if (!isRow) {
      if (columns !== undefined && /[^|\\]\|\s*$/.test(line)) report("a row that does not begin with |")
      columns = undefined
    } else if (columns !== undefined) {
      const cells = countCells(line)
      if (cells !== columns && !SEPARATOR.test(line)) report(`${cells} cells, not ${columns}`)
    } else if (SEPARATOR.test(lines[index + 1] ?? "")) {
      columns = countCells(line)
      if (countCells(lines[index + 1]!) !== columns) report("a separator with another number of cells")
    } else {
      report("a row without a header and a separator")
      columns = countCells(line)
    }
  }
  return found
}
