/** What the views have in common: a heading, the keys that they take in the last line, and between them a list that scrolls. */
import type { Canvas } from "../output/output.ts"
import { type Column, table } from "../output/table.ts"
import { displayWidth } from "../output/text.ts"
import { heading } from "../view/card.ts"

export type KeyHelp = readonly [key: string, does: string]

export interface ScreenCanvas extends Canvas {
  readonly rows: number
  readonly scrolling: Scrolling
}

export const FRAME_ROWS = 3

const GAP = "  "

/** Lines that a key moves a list; `undefined` for keys that don't. */
const stepOf = (key: string, page: number): number | undefined =>
  ({
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -page,
    pagedown: page,
    home: -Infinity,
    g: -Infinity,
    end: Infinity,
    G: Infinity
  })[key]

/** Where a list stands. */
export class Scrolling {
  #first = 0
  #page = 1
  #count = 0

  take(key: string): void {
    this.#first = Math.max(0, Math.min(this.#count - this.#page, this.#first + (stepOf(key, this.#page) ?? 0)))
  }

  /** What of a list goes on so many rows. */
  window<A>(list: ReadonlyArray<A>, rows: number): ReadonlyArray<A> {
    this.#count = list.length
    this.#page = Math.max(1, rows)
    this.#first = Math.max(0, Math.min(this.#count - this.#page, this.#first))
    return list.slice(this.#first, this.#first + this.#page)
  }

  /** As in `12–40 of 350`; nothing where all is seen. */
  get place(): string {
    if (this.#count <= this.#page) return ""
    return `${this.#first + 1}–${Math.min(this.#count, this.#first + this.#page)} of ${this.#count}`
  }
}

/** A table that scrolls, as large as the screen. */
export const scrolled = <A>(
  columns: ReadonlyArray<Column<A>>,
  list: ReadonlyArray<A>,
  canvas: ScreenCanvas
): ReadonlyArray<string> => table(columns, canvas.scrolling.window(list, canvas.rows - FRAME_ROWS - 1), canvas)

/** As many keys as the line has room for, the first of them first; what stands at the right goes before them. */
const footer = (keys: ReadonlyArray<KeyHelp>, right: string, { columns, palette }: Canvas): string => {
  let line = ""
  let left = columns - displayWidth(right)
  for (const [key, does] of keys) {
    const width = displayWidth(`${key} ${does}${GAP}`)
    if (width > left) break
    left -= width
    line += `${palette.accent(key)} ${palette.faint(does)}${GAP}`
  }
  return line + " ".repeat(Math.max(0, left)) + palette.faint(right)
}

/** What a view shows. */
export interface Frame {
  readonly title: string
  /** Stands at the right of the title. */
  readonly state: string
  /** The line under the title. */
  readonly status?: string | undefined
  readonly body: ReadonlyArray<string>
  /** Keys that the view has besides those of all. */
  readonly keys: ReadonlyArray<KeyHelp>
  /** Stands in the place of the keys, while something is typed. */
  readonly prompt?: string | undefined
}

/** The lines of a whole screen. */
export const linesOf = (parts: Frame, canvas: ScreenCanvas): ReadonlyArray<string> => {
  const { rows, scrolling } = canvas
  const keys: ReadonlyArray<KeyHelp> = [["q", "quit"], ...parts.keys, ["↑↓", "scroll"]]
  const above = [heading(parts.title, parts.state, canvas), parts.status ?? "", ...parts.body].slice(0, rows - 1)
  const filling = Array.from({ length: rows - 1 - above.length }, () => "")
  return [...above, ...filling, parts.prompt ?? footer(keys, scrolling.place, canvas)]
}
