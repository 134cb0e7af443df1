/**
 * A reply's text as it comes, in whole lines that are safe for a terminal. A part may end anywhere, and what makes a line
 * dangerous, or a secret, may stand on both sides of the cut.
 */
import type { Palette } from "../output/text.ts"
import { replyLine } from "./replyColours.ts"
import type { Secrecy } from "./secrecy.ts"

/** The lines of one reply. Holds the unfinished one; the session caps a reply's length. */
export class ReplyLines {
  readonly #secrecy: Secrecy
  readonly #palette: Palette
  readonly #onLine: ((line: string) => void) | undefined
  #rest = ""

  constructor(secrecy: Secrecy, palette: Palette, onLine?: (line: string) => void) {
    this.#secrecy = secrecy
    this.#palette = palette
    this.#onLine = onLine
  }

  /** The lines that are whole now, with their line ends. */
  push(part: string): string {
    const lines = (this.#rest + part).split("\n")
    this.#rest = lines.pop()!
    return lines.map((line) => `${this.#shown(line)}\n`).join("")
  }

  /** The last line where it had no end; it is given one. */
  end(): string {
    const rest = this.#rest
    this.#rest = ""
    return rest === "" ? "" : `${this.#shown(rest)}\n`
  }

  #shown(line: string): string {
    const told = this.#secrecy.hideInLine(line.replace(/\r$/, ""))
    this.#onLine?.(told)
    return replyLine(told, this.#palette)
  }
}
