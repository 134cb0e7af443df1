/**
 * Colours by meaning, and those that strangers gave to their text. A plain palette leaves text as it is, so that views never ask whether
 * there are colours.
 */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import { styleText } from "node:util"
import { safe } from "./text.ts"

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

/** No colours: files, pipes, `NO_COLOR`. */
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

/** A line with its colours. */
export const colouredLine = (line: string, palette: Palette): string => {
  const { paint, text } = inColours(line, palette)
  return paint(text)
}

/** The text, safe, without colours and their codes. */
export const uncoloured = (text: string): string => safe(withoutColours(text))
