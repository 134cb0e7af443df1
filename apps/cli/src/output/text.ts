/**
 * Text that came from a server, made fit for a terminal, and text measured in terminal columns. Names of servers and players are
 * written by strangers: an escape sequence in one must not move the cursor, and a wide character must not bend a table.
 */
import { displayText, isolated } from "@sourcewire/core/text"
import widthOf from "fast-string-width"

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
