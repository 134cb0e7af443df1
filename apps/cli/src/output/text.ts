/**
 * Text on a terminal: that of strangers made safe, measured in columns, and colours, by meaning and those that strangers gave to their
 * text. Names of servers and players are written by strangers: an escape sequence in one must not move the cursor, and a wide character
 * must not bend a table.
 */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import widthOf from "fast-string-width"
import { styleText } from "node:util"

// What `isolated` puts around a text.
const ISOLATES = /[\u2066-\u2069]/g

// Most text is, and is measured in a tenth of the time.
const ASCII = /^[\x20-\x7e]*$/

/** Columns that a text takes on a terminal; wide characters take two, combining ones and marks of direction none. */
export const displayWidth = (text: string): number =>
  ASCII.test(text) ? text.length : widthOf(text.replaceAll(ISOLATES, ""))

/** The text on one line, with everything that a terminal would act on, or nobody would see, replaced by a visible mark. */
export const safe = (text: string): string => isolated(displayText(text))

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

/** Like {@link padEnd}, with the text at the right. */
export const padStart = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - displayWidth(text))) + text

/** Words in lines of at most so many columns where they allow it: `first` begins the first line, `indent` each further one. */
export const filled = (
  first: string,
  words: ReadonlyArray<string>,
  columns: number,
  indent: string
): ReadonlyArray<string> => {
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (displayWidth(longer) <= columns) lines.splice(-1, 1, longer)
    else lines.push(indent + word)
  }
  return lines
}

/** A sentence behind a head, in lines of at most so many columns where its words allow it; lines after the first are indented. */
export const flow = (head: string, sentence: string, columns: number): ReadonlyArray<string> => {
  const [first = "", ...words] = sentence.split(" ")
  return filled(head + first, words, columns, "  ")
}

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
  /** Colours that a text brings along. */
  readonly colours: Readonly<Record<NonNullable<ReturnType<typeof colourRuns>[number]["colour"]>, Paint>>
}

const paletteOf = (paint: (format: Parameters<typeof styleText>[0]) => Paint): Palette => ({
  strong: paint("bold"),
  faint: paint("dim"),
  accent: paint("cyan"),
  good: paint("green"),
  warning: paint("yellow"),
  bad: paint("red"),
  colours: {
    // Black would not be seen where that is the background.
    black: paint("gray"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    blue: paint("blue"),
    cyan: paint("cyan"),
    magenta: paint("magenta")
  }
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

/** The text without colour codes, in the colours that they stand for. */
export const inColours = (text: string, { colours }: Palette): PaintedText => {
  const runs = colourRuns(text).map(({ colour, text }) => ({ colour, text: displayText(text) }))
  const plain = runs.map((run) => run.text).join("")
  const whole = isolated(plain)
  const paint: Paint = (shown) => {
    // A mark of direction may be in front.
    let at = whole.indexOf(plain)
    let painted = shown.slice(0, at)
    for (const { colour, text } of runs) {
      const part = shown.slice(at, at + text.length)
      painted += colour === undefined || part === "" ? part : colours[colour](part)
      at += part.length
    }
    return painted + shown.slice(at)
  }
  return { text: whole, paint }
}

export const colouredLine = (line: string, palette: Palette): string => {
  const { paint, text } = inColours(line, palette)
  return paint(text)
}

/** The text, safe, without colours and their codes. */
export const uncoloured = (text: string): string => safe(withoutColours(text))
