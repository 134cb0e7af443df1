/** What the server replied in this session, to be searched. */
import { type Paint, uncoloured } from "../../output/text.ts"

/** A line with a text, whatever its case, painted where it stands. */
export const markedLine = (line: string, text: string, paint: Paint): string => {
  const [lower, wanted] = [line.toLowerCase(), text.toLowerCase()]
  let marked = ""
  let from = 0
  // In a few scripts lower case has another length: then the line is left as it is.
  const isAligned = lower.length === line.length && wanted !== ""
  for (let at = isAligned ? lower.indexOf(wanted) : -1; at !== -1; at = lower.indexOf(wanted, from)) {
    marked += line.slice(from, at) + paint(line.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  return marked + line.slice(from)
}

/** Characters kept; the oldest lines go first. */
const MAX_CHARACTERS = 8 * 1024 * 1024

export class Replies {
  #lines: Array<string> = []
  #characters = 0

  /** Keeps a line, as it is safe for a terminal. */
  readonly remember = (line: string): void => {
    const shown = uncoloured(line)
    this.#lines.push(shown)
    this.#characters += shown.length
    if (this.#characters <= MAX_CHARACTERS) return
    // Half at once: to drop one by one would cost each further line a copy of all.
    this.#lines = this.#lines.slice(this.#lines.length / 2)
    this.#characters = this.#lines.reduce((sum, { length }) => sum + length, 0)
  }

  get newestFirst(): ReadonlyArray<string> {
    return this.#lines.toReversed()
  }

  /** Those that hold a text, whatever its case, as they came. */
  holding(text: string): ReadonlyArray<string> {
    const wanted = text.toLowerCase()
    return this.#lines.filter((line) => line.toLowerCase().includes(wanted))
  }
}
