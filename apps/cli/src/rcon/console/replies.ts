/** The replies of this session, for the search. */
import { type Paint, uncoloured } from "../../output/text.ts"

/** A line with all occurrences of a text marked, in any case. */
export const markedLine = (line: string, text: string, paint: Paint): string => {
  const wanted = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return text === "" ? line : line.replaceAll(new RegExp(wanted, "giu"), paint)
}

/** Maximum number of stored characters. The oldest lines are removed first. */
const MAX_CHARACTERS = 8 * 1024 * 1024

export class Replies {
  #lines: Array<string> = []
  #characters = 0

  /** Stores a line, safe for a terminal. */
  readonly remember = (line: string): void => {
    const shown = uncoloured(line)
    this.#lines.push(shown)
    this.#characters += shown.length
    if (this.#characters <= MAX_CHARACTERS) return
    // Half of the lines are removed together. If single lines were removed, the list would be copied for each further line.
    this.#lines = this.#lines.slice(this.#lines.length / 2)
    this.#characters = this.#lines.reduce((sum, { length }) => sum + length, 0)
  }

  get newestFirst(): ReadonlyArray<string> {
    return this.#lines.toReversed()
  }

  /** The lines that contain a text, in any case and in order. */
  holding(text: string): ReadonlyArray<string> {
    const wanted = text.toLowerCase()
    return this.#lines.filter((line) => line.toLowerCase().includes(wanted))
  }
}
