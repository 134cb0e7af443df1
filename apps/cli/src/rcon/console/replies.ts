/** Stores the replies of this session, so that the user can search them. */
import { type Paint, uncoloured } from "../../output/text.ts"

/** Marks all occurrences of a text in a line. The case of letters is ignored. */
export const markedLine = (line: string, text: string, paint: Paint): string => {
  const wanted = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return text === "" ? line : line.replaceAll(new RegExp(wanted, "giu"), paint)
}

/** Maximum number of stored characters. If the stored lines contain more characters, the older half of the lines is removed. */
const MAX_CHARACTERS = 8 * 1024 * 1024

export class Replies {
  #lines: Array<string> = []
  #characters = 0

  /** Stores a line of a reply as text that is safe for a terminal. */
  readonly remember = (line: string): void => {
    const shown = uncoloured(line)
    this.#lines.push(shown)
    this.#characters += shown.length
    if (this.#characters <= MAX_CHARACTERS) return
    // Half of the lines are removed in one step. If only one line were removed, the whole list would have to be copied again for each
    // further line.
    this.#lines = this.#lines.slice(this.#lines.length / 2)
    this.#characters = this.#lines.reduce((sum, { length }) => sum + length, 0)
  }

  get newestFirst(): ReadonlyArray<string> {
    return this.#lines.toReversed()
  }

  /** Returns the stored lines that contain a text, oldest first. The case of letters is ignored. */
  holding(text: string): ReadonlyArray<string> {
    const wanted = text.toLowerCase()
    return this.#lines.filter((line) => line.toLowerCase().includes(wanted))
  }
}
