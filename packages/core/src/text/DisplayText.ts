/**
 * Text of strangers, made fit to be shown. Names of servers and players, rules, log lines and replies of consoles are written by
 * anybody: a terminal, a spreadsheet or a page must not act on what is in them, and what cannot be seen must not pass unseen. Data keep
 * the text as it came; only what shows it goes through here.
 */
import { demand, isText, shown } from "../edge.ts"

/**
 * Control characters, line separators, halves of surrogate pairs, and whatever is there without being seen: marks of zero width and of
 * direction, fillers, variation selectors, the empty Braille cell. Not the signs of Arabic that Unicode counts among formats.
 */
const unseen = (): RegExp =>
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

// Most text is ASCII, and the expressions above and below cost some fifty times as much; reading them takes a millisecond.
const ASCII = /^[\x20-\x7e]*$/

/** Of scripts in which a joiner, or its opposite, changes how its neighbours are written. */
const JOINING =
  "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}"

const ZERO_WIDTH_NON_JOINER = "\u200c"
const ZERO_WIDTH_JOINER = "\u200d"

/** Whether an unseen character is part of what is seen: of an emoji, or of a word in a script that joins its letters. */
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

/** Unicode's pictures of control characters begin here. */
const CONTROL_PICTURES = 0x2400
const DELETE = 0x7f
const DELETE_PICTURE = "\u2421"
const REPLACEMENT = "\ufffd"

const visible = (character: string): string => {
  const code = character.codePointAt(0)!
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  return code === DELETE ? DELETE_PICTURE : REPLACEMENT
}

/** A text with something in place of each character that is not seen. */
const replaceUnseen = (name: string, text: string, by: (character: string, at: number) => string): string => {
  demand(name, "a text", isText, text)
  return ASCII.test(text) ? text : text.replace(unseen(), by)
}

/** Characters around one that decide whether it belongs: a base and its marks. */
const NEIGHBOURS = 8

/**
 * The text on one line, with a visible mark in place of each character that would not be seen or would be acted on: pictures of control
 * characters (`␛`, `␊`), else `�`. For terminals, CSV, pages and labels alike.
 */
export const displayText = (text: string): string =>
  replaceUnseen("text", text, (character, at) => {
    const end = at + character.length
    const [before, after] = [text.slice(Math.max(0, at - NEIGHBOURS), at), text.slice(end, end + NEIGHBOURS)]
    return belongs(character, before, after) ? character : visible(character)
  })

/** A value as text, also one that JavaScript cannot turn into text. */
const printable = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return shown(value)
  }
}

/**
 * A value as a cell of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe, as people who open such files
 * expect.
 */
export const csvCell = (value: unknown): string => {
  if (value === undefined) return ""
  const text = displayText(printable(value))
  const cell = typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** JSON that shows the same: what {@link displayText} would replace is escaped, so that nothing is lost. */
export const displayJson = (json: string): string =>
  replaceUnseen("json", json, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  )

/** Hebrew, Arabic and their neighbours, whose letters turn the direction of what stands beside them. */
const runsFromRight = (text: string): boolean =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text)

const FIRST_STRONG_ISOLATE = "\u2068"
const POP_ISOLATE = "\u2069"

/**
 * A display text that keeps its direction to itself: where it runs from right to left, it is closed off from the columns beside it.
 * Once is enough; what was cut off an isolated text's end is put back.
 */
export const isolated = (text: string): string => {
  demand("text", "a text", isText, text)
  if (ASCII.test(text)) return text
  const isOpen = text.startsWith(FIRST_STRONG_ISOLATE)
  if (!isOpen && !runsFromRight(text)) return text
  return `${isOpen ? "" : FIRST_STRONG_ISOLATE}${text}${text.endsWith(POP_ISOLATE) ? "" : POP_ISOLATE}`
}
