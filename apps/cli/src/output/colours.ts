/** Text of strangers with the colours that they gave it, where the terminal has colours. */
import { colourRuns, displayText, isolated, withoutColours } from "@sourcewire/core/text"
import type { Paint, Palette } from "./palette.ts"
import { safe } from "./text.ts"

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
