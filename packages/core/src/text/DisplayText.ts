/**
 * Makes text from servers and players safe to show. Any person can choose the text of names, rules, log lines and console output. A
 * terminal, a spreadsheet or a page must not interpret such text as commands. Invisible characters must become visible. Results of queries
 * contain the text unchanged, so use these functions when you show a text.
 */
import { demand, isText, shown } from "../edge.ts"

/**
 * Matches control characters, line separators, unpaired surrogates, and invisible characters: zero-width and direction marks, fillers,
 * variation selectors, and the empty Braille cell. Visible Arabic signs that Unicode classifies as format characters are not matched.
 */
const unseen = (): RegExp =>
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

// Most text is ASCII, so this expression is tested first. The other expressions of this module need about fifty times as long to test a
// text, and a millisecond to compile.
const ASCII = /^[\x20-\x7e]*$/

/** Scripts in which a joiner or non-joiner changes the form of neighbouring letters. */
const JOINING =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}"

const ZERO_WIDTH_NON_JOINER = "\u200c"
const ZERO_WIDTH_JOINER = "\u200d"

/**
 * Whether the neighbours of an invisible character require this character. For example, emoji and scripts with joined letters require such
 * characters.
 */
const belongs = (character: string, before: string, after: string): boolean => {
  if (character === "\ufe0e" || character === "\ufe0f") return /[\p{Extended_Pictographic}0-9#*]$/u.test(before)
  if (character !== ZERO_WIDTH_JOINER && character !== ZERO_WIDTH_NON_JOINER) return false
  if (new RegExp(`[${JOINING}]\\p{M}*$`, "u").test(before) && new RegExp(`^[${JOINING}]`, "u").test(after)) return true
  return (
    character === ZERO_WIDTH_JOINER &&
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after)
  )
}

/** The first of Unicode's visible symbols for control characters, such as `␛`. */
const CONTROL_PICTURES = 0x2400
const DELETE = 0x7f
const DELETE_PICTURE = "\u2421"
const REPLACEMENT = "\ufffd"

const visible = (character: string): string => {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  return code === DELETE ? DELETE_PICTURE : REPLACEMENT
}

/** Calls `by` for each character of a text that {@link unseen} matches, and replaces the character with the result. */
const replaceUnseen = (name: string, text: string, by: (character: string, at: number) => string): string => {
  demand(name, "a text", isText, text)
  return ASCII.test(text) ? text : text.replace(unseen(), by)
}

/** Number of neighbouring characters that are checked on each side. This number suffices for a base character and its marks. */
const NEIGHBOURS = 8

/**
 * Returns the text on one line, for terminals, CSV files, pages and labels. An ASCII control character is replaced by its picture (`␛`,
 * `␊`). Any other control character or invisible character is replaced by `�`. An invisible character that its neighbours require, for
 * example in an emoji, does not change.
 */
export const displayText = (text: string): string =>
  replaceUnseen("text", text, (character, at) => {
    const end = at + character.length
    const [before, after] = [text.slice(Math.max(0, at - NEIGHBOURS), at), text.slice(end, end + NEIGHBOURS)]
    return belongs(character, before, after) ? character : visible(character)
  })

/** Converts a value to text. Never throws, even if `String` throws for the value. */
const printable = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return shown(value)
  }
}

/**
 * Formats a value as a CSV cell (RFC 4180). If a spreadsheet would treat the text as a formula, an apostrophe is added before the text. In
 * spreadsheets, an apostrophe at the start of a cell means that the cell is text.
 */
export const csvCell = (value: unknown): string => {
  if (value === undefined) return ""
  const text = displayText(printable(value))
  const cell = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Escapes the characters in JSON that {@link displayText} would replace. Parsing the result returns the same values as parsing `json`. */
export const displayJson = (json: string): string =>
  replaceUnseen("json", json, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

/** Whether a text contains Hebrew, Arabic or related letters, which reverse the direction of neighbouring text. */
const runsFromRight = (text: string): boolean =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text)

const FIRST_STRONG_ISOLATE = "\u2068"
const POP_ISOLATE = "\u2069"

/**
 * Isolates right-to-left text with invisible marks, so that the text does not change the direction of neighbouring columns. A text that is
 * already isolated does not change. If an isolated text was truncated and lost its end mark, the function adds the mark.
 */
export const isolated = (text: string): string => {
  demand("text", "a text", isText, text)
  if (ASCII.test(text)) return text
  const isOpen = text.startsWith(FIRST_STRONG_ISOLATE)
  if (!isOpen && !runsFromRight(text)) return text
  return `${isOpen ? "" : FIRST_STRONG_ISOLATE}${text}${text.endsWith(POP_ISOLATE) ? "" : POP_ISOLATE}`
}
