/** What the views have in common: a heading, the keys that they take in the last line, and between them what there is to see. */
import type { Palette } from "../output/colours.ts"
import { displayWidth } from "../output/text.ts"
import { heading } from "../view/card.ts"

/** A key and what it does. */
export type KeyHelp = readonly [key: string, does: string]

/** Where a view is drawn. */
export interface Canvas {
  readonly columns: number
  readonly rows: number
  readonly palette: Palette
}

/** Lines that the frame itself takes. */
export const FRAME_ROWS = 3

const GAP = "  "

/** As many keys as the line has room for, the first of them first; what stands at the right goes before them. */
const footer = (keys: ReadonlyArray<KeyHelp>, right: string, { columns, palette }: Canvas): string => {
  let line = ""
  let left = columns - displayWidth(right)
  for (const [key, does] of keys) {
    const width = displayWidth(`${key} ${does}${GAP}`)
    if (width > left) break
    left -= width
    line += `${palette.accent(key)} ${palette.faint(does)}${GAP}`
  }
  return line + " ".repeat(Math.max(0, left)) + palette.faint(right)
}

/** A whole screen. `state` stands at the right of the title, `place` in the last line, which is `prompt` while something is typed. */
export const frame = (
  parts: {
    readonly title: string
    readonly state: string
    /** The line under the title. */
    readonly status?: string
    readonly body: ReadonlyArray<string>
    readonly keys: ReadonlyArray<KeyHelp>
    readonly place: string
    readonly prompt?: string | undefined
  },
  canvas: Canvas
): ReadonlyArray<string> => {
  const { columns, palette, rows } = canvas
  const above = [
    heading(parts.title, parts.state, { width: columns, palette }),
    parts.status ?? "",
    ...parts.body
  ].slice(0, rows - 1)
  const filling = Array.from({ length: rows - 1 - above.length }, () => "")
  return [...above, ...filling, parts.prompt ?? footer(parts.keys, parts.place, canvas)]
}
