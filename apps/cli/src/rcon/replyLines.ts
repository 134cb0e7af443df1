/**
 * A reply's text as it comes, in whole lines that are safe for a terminal. A part may end anywhere, and what makes a line
 * dangerous, or a secret, may stand on both sides of the cut.
 */
import { type Palette, colouredLine } from "../output/colours.ts"
import type { Secrecy } from "./secrecy.ts"

/** The lines of one reply. Holds the unfinished one; the session caps a reply's length. */
export class ReplyLines {
  readonly #secrecy: Secrecy
  readonly #palette: Palette
  #rest = ""

  constructor(secrecy: Secrecy, palette: Palette) {
    this.#secrecy = secrecy
    this.#palette = palette
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
    const cells = this.#secrecy.hideInLine(line.replace(/\r$/, "")).split("\t")
    return cells.map((cell) => colouredLine(cell, this.#palette)).join("\t")
  }
}
