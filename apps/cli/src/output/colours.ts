/** Colours that strangers gave to their text. */
import { colourRuns, displayText, isolated } from "@sourcewire/core/text"
import type { Paint, Palette } from "./text.ts"

export type Colour = NonNullable<ReturnType<typeof colourRuns>[number]["colour"]>

/** What a text says, safe, and how to paint it once it has its width. */
export interface PaintedText {
  readonly text: string
  readonly paint: Paint
}

export const paintedRuns = (text: string, palette: Palette): PaintedText => {
  const runs = colourRuns(text).map(({ colour, text }) => ({ colour, text: displayText(text) }))
  const plain = runs.map((run) => run.text).join("")
  const whole = isolated(plain)
  const paint: Paint = (shown) => {
    // A mark of direction may be in front.
    let at = whole.indexOf(plain)
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
