/**
 * Colour codes in text of servers and players: `^1` to `^9` of Quake-based engines (Xash3D, qfusion), and the bytes 1 to 4 of GoldSource's
 * chat. Results contain the codes unchanged. Convert them to colours, or remove them, when you show a text.
 *
 * @example
 * import { colourRuns, withoutColours } from "@sourcewire/core/text"
 * console.log(colourRuns("^1Red ^7and ^4blue"), withoutColours("^3Warning: ^7low")) // …, "Warning: low"
 */
import { demand, isText } from "../edge.ts"

/** Name of a colour. The program that shows it chooses the shade. */
export type Colour = "black" | "red" | "green" | "yellow" | "blue" | "cyan" | "magenta"

/** A part of a text in one colour; without `colour`, it has the default colour. */
export interface ColourRun {
  readonly text: string
  readonly colour?: Colour
}

/** Colours by digit. The engines use the low three bits of the digit; white is the default colour. */
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

/** Colours by byte. 1 and 2 are the default colour, 3 is the colour of the (unknown) team, 4 is green. */
const BYTES: Readonly<Record<string, Colour | undefined>> = { "\u0003": "cyan", "\u0004": "green" }

const CODE = /(\^[0-9]|[\u0001-\u0004])/g

const findColour = (code: string): Colour | undefined =>
  code.startsWith("^") ? DIGITS[Number(code[1]) & 7] : BYTES[code]

/** Splits a text into coloured parts, without the codes. No part is empty. */
export const colourRuns = (text: string): ReadonlyArray<ColourRun> => {
  demand("text", "a text", isText, text)
  const runs: Array<ColourRun> = []
  let colour: Colour | undefined
  for (const [i, part] of text.split(CODE).entries()) {
    // Every second part is a code.
    if (i % 2 === 1) colour = findColour(part)
    else if (part !== "") runs.push(colour === undefined ? { text: part } : { text: part, colour })
  }
  return runs
}

/** The text without colour codes. */
export const withoutColours = (text: string): string => {
  demand("text", "a text", isText, text)
  return text.replace(CODE, "")
}
