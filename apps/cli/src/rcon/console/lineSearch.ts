/** Search of lines by a text that grows as it is typed (Ctrl-R, Ctrl-F): what a key does to it. Knows no terminal. */
import type { Key } from "node:readline"

/** One search. */
export class LineSearch {
  readonly #lines: ReadonlyArray<string>
  #at = 0
  #term = ""

  /** Searches lines, the newest first. */
  constructor(lines: ReadonlyArray<string>) {
    this.#lines = lines
  }

  /** What is searched for. */
  get term(): string {
    return this.#term
  }

  /** The line found; none before something was typed. */
  get found(): string | undefined {
    return this.#term === "" ? undefined : this.#lines[this.#at]
  }

  /** Does what a key asks for; `false` for one that ends the search. `older` is the letter that, with Ctrl, finds the next older line. */
  take(text: string | undefined, { ctrl, meta, name }: Key, older: string): boolean {
    if (ctrl === true && name === older) this.#find(this.#term, this.#at + 1)
    else if (name === "backspace") this.#find(this.#term.slice(0, -1), 0)
    else if (text !== undefined && ctrl !== true && meta !== true && /^\P{Cc}+$/u.test(text)) {
      this.#find(this.#term + text, this.#at)
    } else return false
    return true
  }

  /** Goes to the next line from `start` on that holds the term; stays where none does, so that Ctrl-R once too often loses nothing. */
  #find(term: string, start: number): void {
    const wanted = term.toLowerCase()
    const at = this.#lines.findIndex((line, i) => i >= start && line.toLowerCase().includes(wanted))
    this.#at = at !== -1 ? at : term === this.#term ? this.#at : this.#lines.length
    this.#term = term
  }
}
