/**
 * Text on a terminal: made safe, measured in columns, painted by what it means. Names of servers and players are written by strangers: an
 * escape sequence in one must not move the cursor, and a wide character must not bend a table.
 */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import widthOf from "fast-string-width"
import { styleText } from "node:util"

/** Most text: a column for each character, no colour codes, and nothing that a terminal would act on. All else takes ten times as long. */
const PLAIN = /^[\x20-\x5d\x5f-\x7e]*$/

// What `isolated` puts around a text.
const ISOLATES = /[\u2066-\u2069]/g

/** Columns that a text takes on a terminal; wide characters take two, combining ones and marks of direction none. */
export const displayWidth = (text: string): number =>
  PLAIN.test(text) ? text.length : widthOf(text.replaceAll(ISOLATES, ""))

/** The text on one line, with everything that a terminal would act on, or nobody would see, replaced by a visible mark. */
export const safe = (text: string): string => (PLAIN.test(text) ? text : isolated(displayText(text)))

/** The text, safe, without colours and their codes. */
export const uncoloured = (text: string): string => (PLAIN.test(text) ? text : safe(withoutColours(text)))

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** The text cut to at most so many columns, the last of them an ellipsis where something was cut. */
export const fit = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text
  let kept = ""
  let width = 1
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment)
    if (width > columns) break
    kept += segment
  }
  return isolated(`${kept}…`)
}

/** The text filled up with blanks to so many columns; never cut. */
export const padEnd = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - displayWidth(text)))

export const padStart = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - displayWidth(text))) + text

/** The text in lines of at most so many columns, broken at blanks where there are any. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  if (displayWidth(text) <= columns) return [text.trimEnd()]
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/(?<= )/)) {
    let rest = word
    if (line !== "" && displayWidth(line) + displayWidth(rest.trimEnd()) > columns) {
      lines.push(line.trimEnd())
      line = ""
    }
    while (displayWidth(rest.trimEnd()) > columns) {
      const head = fit(rest, columns + 1).slice(0, -1)
      lines.push(head)
      rest = rest.slice(head.length)
    }
    line += rest
  }
  if (line !== "" || lines.length === 0) lines.push(line.trimEnd())
  return lines
}

/** Paints a text that is already safe for a terminal. */
export type Paint = (text: string) => string

type Colour = NonNullable<ReturnType<typeof colourRuns>[number]["colour"]>

/** What the views distinguish. */
export interface Palette {
  /** Names and headings. */
  readonly strong: Paint
  /** Labels, units, what can be skipped when reading. */
  readonly faint: Paint
  /** What the eye should find first. */
  readonly accent: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
  /** A colour that a text brings along. */
  readonly colour: (name: Colour) => Paint
}

const paletteOf = (paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette => ({
  strong: paint("bold"),
  faint: paint("dim"),
  accent: paint("cyan"),
  good: paint("green"),
  warning: paint("yellow"),
  bad: paint("red"),
  // Black would not be seen where that is the background.
  colour: (name) => paint(name === "black" ? "gray" : name)
})

/** No colours: files, pipes, `NO_COLOR`. It leaves text as it is, so that views never ask whether there are colours. */
export const plain = paletteOf(() => (text) => text)

/** The sixteen colours of the terminal's own theme. */
export const coloured = paletteOf((format) => (text) => styleText(format, text, { validateStream: false }))

/** What a text says, safe, and how to paint it once it has its width. */
export interface PaintedText {
  readonly text: string
  readonly paint: Paint
}

const paintedRuns = (text: string, palette: Palette): PaintedText => {
  const runs = colourRuns(text).map(({ colour, text }) => ({ colour, text: displayText(text) }))
  const bare = runs.map((run) => run.text).join("")
  const whole = isolated(bare)
  const paint: Paint = (shown) => {
    // A mark of direction may be in front.
    let at = whole.indexOf(bare)
    let painted = shown.slice(0, at)
    for (const { colour, text } of runs) {
      const part = shown.slice(at, at + text.length)
      painted += colour === undefined || part === "" ? part : palette.colour(colour)(part)
      at += part.length
    }
    return painted + shown.slice(at)
  }
  return { text: whole, paint }
}

/** The text without colour codes, in the colours that they stand for. */
export const inColours = (text: string, palette: Palette): PaintedText =>
  PLAIN.test(text) ? { text, paint: (shown) => shown } : paintedRuns(text, palette)

export const colouredLine = (line: string, palette: Palette): string => {
  const { paint, text } = inColours(line, palette)
  return paint(text)
}
