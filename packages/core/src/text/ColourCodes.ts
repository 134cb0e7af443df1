/**
 * Colour codes in text of servers and players: `^0` to `^9` of Quake-based engines (Xash3D, qfusion), and the bytes 1 to 4 of GoldSource's
 * chat. Results of queries contain these codes unchanged. When you show a text, convert the codes to colours, or remove the codes.
 *
 * @example
 * import { colourRuns, withoutColours } from "@sourcewire/core/text"
 * console.log(colourRuns("^1Red ^7and ^4blue"), withoutColours("^3Warning: ^7low")) // …, "Warning: low"
 */
import { demand, isText } from "../edge.ts"

/** Name of a colour. The program that shows the text chooses the shade. */
export type Colour = "black" | "red" | "green" | "yellow" | "blue" | "cyan" | "magenta"

/** A part of a text in one colour. If `colour` is absent, the part has the default colour. */
export interface ColourRun {
  readonly text: string
  readonly colour?: Colour
}

/** Colours by digit. The engines use only the low three bits of the digit. The digit 7 (white) is the default colour. */
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

/**
 * Colours by byte. The bytes 1 and 2 select the default colour, and the byte 4 selects green. The byte 3 selects the colour of the player's
 * team. The text does not contain the team, so this module uses cyan.
 */
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
    // The expression has a capture group, so `split` returns texts and codes alternately, beginning with a text.
    if (i % 2 === 1) colour = findColour(part)
    else if (part !== "") runs.push(colour === undefined ? { text: part } : { text: part, colour })
  }
  return runs
}

/** Returns the text without colour codes. */
export const withoutColours = (text: string): string => {
  demand("text", "a text", isText, text)
  return text.replace(CODE, "")
}
