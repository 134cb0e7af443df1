/** A card: a heading with something small at its right, then labelled lines, then remarks on what was truncated or guessed. */
import type { PaintedText } from "../output/colours.ts"
import type { Palette } from "../output/palette.ts"
import { displayWidth, fit, padEnd, wrap } from "../output/text.ts"

/** Where a view is drawn. */
export interface Canvas {
  /** Columns. */
  readonly width: number
  readonly palette: Palette
}

/** A labelled line: safe text without colours, which may wrap, or an already painted text, which may not. */
export interface CardLine {
  readonly label: string
  readonly text: string
  readonly painted?: boolean
}

const INDENT = "  "
const GAP = 2

/** A heading across the width. */
export const heading = (title: string | PaintedText, aside: string, { palette, width }: Canvas): string => {
  const { paint, text } = typeof title === "string" ? { text: title, paint: (shown: string) => shown } : title
  const room = width - displayWidth(aside) - GAP
  const left = fit(text, Math.max(12, room))
  const gap = " ".repeat(Math.max(GAP, width - displayWidth(left) - displayWidth(aside)))
  const strong = palette.strong(paint(left))
  return aside === "" ? strong : `${strong}${gap}${palette.faint(aside)}`
}

/** A remark that should not be missed. */
export const remark = (text: string, { palette, width }: Canvas): ReadonlyArray<string> =>
  wrap(text, width - INDENT.length - 2).map((line, i) => `${INDENT}${palette.warning(i === 0 ? "!" : " ")} ${line}`)

/** Lines of a card's body. */
export const body = (lines: ReadonlyArray<CardLine>, { palette, width }: Canvas): ReadonlyArray<string> => {
  const labelWidth = Math.max(0, ...lines.map((line) => displayWidth(line.label))) + GAP
  return lines.flatMap((line) => {
    const label = INDENT + palette.faint(padEnd(line.label, labelWidth))
    if (line.painted === true) return [label + line.text]
    const [first = "", ...rest] = wrap(line.text, Math.max(20, width - INDENT.length - labelWidth))
    return [label + first, ...rest.map((text) => INDENT + " ".repeat(labelWidth) + text)]
  })
}
