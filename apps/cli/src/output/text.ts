/**
 * Makes text safe for a terminal, measures its width in columns, and colours it. Names of servers and players are untrusted. Escape
 * sequences in these names must not reach the terminal, and wide characters in these names must not shift the columns of a table.
 */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import widthOf from "fast-string-width"
import { styleText } from "node:util"

/**
 * Matches texts of printable ASCII characters without `^`, which begins a colour code. Each of these characters is one column wide.
 * Therefore the width of a matching text is its length. Most texts match. Measuring the width of any other text takes ten times as long as
 * this match.
 */
const PLAIN = /^[\x20-\x5d\x5f-\x7e]*$/

// The invisible characters that `isolated` adds around a text.
const ISOLATES = /[\u2066-\u2069]/g

/**
 * The width of a text on a terminal, in columns. Wide characters, for example Chinese characters, are two columns wide. Combining
 * characters and direction marks have the width 0.
 */
export const displayWidth = (text: string): number =>
  PLAIN.test(text) ? text.length : widthOf(text.replaceAll(ISOLATES, ""))

/** Returns a text as one line that is safe for a terminal. Control characters and invisible characters are replaced with visible marks. */
export const safe = (text: string): string => (PLAIN.test(text) ? text : isolated(displayText(text)))

/** Returns a text without colour codes, as one line that is safe for a terminal. */
export const uncoloured = (text: string): string => (PLAIN.test(text) ? text : safe(withoutColours(text)))

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Truncates a text to a width of at most `columns`. A truncated text ends with an ellipsis. */
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

/** Pads a text with spaces to a width of at least `columns`. If the text is already wider, it is returned unchanged. */
export const padEnd = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - displayWidth(text)))

export const padStart = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - displayWidth(text))) + text

/** Splits a text into lines that are at most `columns` wide. The text is split at spaces if possible. */
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

/** A function that adds colours to a text, which must already be safe for a terminal. */
export type Paint = (text: string) => string

type Colour = NonNullable<ReturnType<typeof colourRuns>[number]["colour"]>

/** The colours of views. Each property is named after the meaning of its colour. */
export interface Palette {
  /** Names and headings. */
  readonly strong: Paint
  /** Labels, units, and other text that a reader can skip. */
  readonly faint: Paint
  /** Keys, commands and other text that should be noticed first. */
  readonly accent: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
  /**
   * Returns the function that paints a text in the given colour. In texts from games, colour codes select these colours: for example, `^1`
   * means red.
   */
  readonly colour: (name: Colour) => Paint
}

const makePalette = (paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette => ({
  strong: paint("bold"),
  faint: paint("dim"),
  accent: paint("cyan"),
  good: paint("green"),
  warning: paint("yellow"),
  bad: paint("red"),
  // Gray replaces black, which is invisible on a black background.
  colour: (name) => paint(name === "black" ? "gray" : name)
})

/** A palette without colours, for output to files and pipes, and if the user has set `NO_COLOR`. */
export const plain = makePalette(() => (text) => text)

/** A palette with the sixteen colours of the terminal's own theme. */
export const coloured = makePalette((format) => (text) => styleText(format, text, { validateStream: false }))

/**
 * A text that is safe for a terminal, and a function `paint`, which colours this text. The caller first pads the text, and then passes the
 * padded text to `paint`.
 */
export interface PaintedText {
  readonly text: string
  readonly paint: Paint
}

const paintedRuns = (text: string, palette: Palette): PaintedText => {
  const runs = colourRuns(text).map(({ colour, text }) => ({ colour, text: displayText(text) }))
  const bare = runs.map((run) => run.text).join("")
  const whole = isolated(bare)
  const paint: Paint = (shown) => {
    // `isolated` may have added a direction mark before the text. The colours begin after this mark.
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

/** Removes the colour codes from a text. The returned function `paint` colours the remaining text as these codes specify. */
export const inColours = (text: string, palette: Palette): PaintedText =>
  PLAIN.test(text) ? { text, paint: (shown) => shown } : paintedRuns(text, palette)

export const colouredLine = (line: string, palette: Palette): string => {
  const { paint, text } = inColours(line, palette)
  return paint(text)
}
