/**
 * Checks that all rows of a Markdown table have the same number of cells. Otherwise GitHub drops surplus cells of a row, adds empty cells,
 * or shows the table as plain text.
 */
import { expect, it } from "vitest"
import { brokenTables } from "../src/markdownTables.ts"
import { files, read } from "../src/workspace.ts"

it.each(files().filter((file) => file.endsWith(".md")))(
  "the rows of each table in %s have the same number of cells",
  (file) => {
    expect(brokenTables(read(file))).toEqual([])
  }
)

it.each([
  ["a row with too many cells", "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n", [3]],
  ["a row with too few cells", "| a | b |\n|---|---|\n| 1 |\n", [3]],
  ["a table without a separator", "text\n\n| a | b |\n| 1 | 2 |\n", [3]],
  ["a row without its first pipe, which ends the table too early", "| a | b |\n|---|---|\n| 1 | 2 |\n3 | 4 |\n", [4]],
  ["an escaped pipe in code", "| a | b |\n|---|---|\n| `x \\| y` | 2 |\n", []],
  ["rows in a block of code", "```text\n| a | b |\n| 1 |\n```\n", []]
])("brokenTables returns the line numbers of broken rows: %s", (_, text, lines) => {
  expect(brokenTables(text).map(({ line }) => line)).toEqual(lines)
})
