/**
 * Makes text safe for a terminal, measures it in columns, and colours it. Names of servers and players are untrusted: an escape sequence
 * must not move the cursor, and a wide character must not shift a table's columns.
 */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import widthOf from "fast-string-width"
import { styleText } from "node:util"

/** Most text: one column per character, no colour codes and no control characters. Other text takes ten times as long. */
const PLAIN = /^[\x20-\x5d\x5f-\x7e]*$/

// What `isolated` puts around a text.
const ISOLATES = /[\u2066-\u2069]/g

/** The columns of a text on a terminal. Wide characters have two, combining characters and direction marks none. */
export const displayWidth = (text: string): number =>
  PLAIN.test(text) ? text.length : widthOf(text.replaceAll(ISOLATES, ""))

/** The text on one line, with control and invisible characters replaced by visible marks. */
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

/** The colours of views by meaning. */
export interface Palette {
  /** Names and headings. */
  readonly strong: Paint
  /** Labels, units, what can be skipped when reading. */
  readonly faint: Paint
  /** Keys, commands and other things to notice first. */
  readonly accent: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
  /** A colour that a text brings along. */
  readonly colour: (name: Colour) => Paint
}

const makePalette = (paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette => ({
  strong: paint("bold"),
  faint: paint("dim"),
  accent: paint("cyan"),
  good: paint("green"),
  warning: paint("yellow"),
  bad: paint("red"),
  // Black is invisible on a black background.
  colour: (name) => paint(name === "black" ? "gray" : name)
})

/** No colours, for files, pipes and `NO_COLOR`. */
export const plain = makePalette(() => (text) => text)

/** The sixteen colours of the terminal's own theme. */
export const coloured = makePalette((format) => (text) => styleText(format, text, { validateStream: false }))

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
