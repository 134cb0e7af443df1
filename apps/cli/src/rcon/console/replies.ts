/** What the server replied in this session, to be searched. */
import { type Paint, uncoloured } from "../../output/text.ts"

/** A line with a text, whatever its case, painted where it stands. */
export const markedLine = (line: string, text: string, paint: Paint): string => {
  const wanted = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return text === "" ? line : line.replaceAll(new RegExp(wanted, "giu"), paint)
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
