/**
 * Colours in the text of strangers: `^1` to `^9` of engines that come from Quake (Xash3D, qfusion), and the bytes 1 to 4 of GoldSource's
 * chat. Data keep the codes as they came; what shows a text shows colours instead, or leaves them out.
 *
 * @example
 * import { colourRuns, withoutColours } from "@sourcewire/core/text"
 * console.log(colourRuns("^1Red ^7and ^4blue"), withoutColours("^3Warning: ^7low")) // …, "Warning: low"
 */
import { demand, isText } from "../edge.ts"

/** A colour by name; a shade of it is the matter of who shows it. */
export type Colour = "black" | "red" | "green" | "yellow" | "blue" | "cyan" | "magenta"

/** A stretch of text in one colour; without a colour it is in that of all other text. */
export interface ColourRun {
  readonly text: string
  readonly colour?: Colour
}

/** By digit. The engines take the low three bits of the digit; white is the colour of all other text. */
const DIGITS: ReadonlyArray<Colour | undefined> = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "cyan",
  "magenta",
  undefined
]

/** By byte: as usual, as usual, in the team's colour (of which nothing is known), green. */
const BYTES: Readonly<Record<string, Colour | undefined>> = { "\u0003": "cyan", "\u0004": "green" }

const CODE = /(\^[0-9]|[\u0001-\u0004])/g

const colourOf = (code: string): Colour | undefined =>
  code.startsWith("^") ? DIGITS[Number(code[1]) & 7] : BYTES[code]

/** The text in its colours, without the codes; no run is empty. */
export const colourRuns = (text: string): ReadonlyArray<ColourRun> => {
  demand("text", "a text", isText, text)
  const runs: Array<ColourRun> = []
  let colour: Colour | undefined
  for (const [i, part] of text.split(CODE).entries()) {
    // Every other part is a code.
    if (i % 2 === 1) colour = colourOf(part)
    else if (part !== "") runs.push(colour === undefined ? { text: part } : { text: part, colour })
  }
  return runs
}

/** The text without colour codes. */
export const withoutColours = (text: string): string => {
  demand("text", "a text", isText, text)
  return text.replace(CODE, "")
}
