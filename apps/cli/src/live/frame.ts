/** The common parts of live views: a heading, a scrolling list, and the keys in the last line. */
import type { Canvas } from "../output/output.ts"
import { type Column, table } from "../output/table.ts"
import { displayWidth, padEnd } from "../output/text.ts"
import { heading } from "../view/card.ts"

export type KeyHelp = readonly [key: string, does: string]

export interface ScreenCanvas extends Canvas {
  readonly rows: number
  readonly scrolling: Scrolling
  /** Whether the screen shows the list of keys in place of the view's body. */
  readonly listsKeys: boolean
}

export const FRAME_ROWS = 3

const GAP = "  "

/** Returns the number of lines by which a key scrolls a list, or `undefined` if the key does not scroll lists. */
const stepFor = (key: string, page: number): number | undefined =>
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

/** Whether a key moves the selection. In a list without a selection, such a key scrolls the list. */
export const isMove = (key: string): boolean => stepFor(key, 1) !== undefined

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))

/** The visible part of a list, and the selected entry if the list has a selection. */
export class Scrolling {
  #first = 0
  #page = 1
  #count = 0
  #cursor: number | undefined

  /** Handles a key: moves the selection, or scrolls the list if the list has no selection. */
  take(key: string): void {
    const step = stepFor(key, this.#page) ?? 0
    if (this.#cursor === undefined) this.#first = clamp(this.#first + step, this.#count - this.#page)
    else this.#cursor = clamp(this.#cursor + step, this.#count - 1)
  }

  /**
   * Returns the entries that are visible in `rows` rows. If `cursor` is set, the entry at the index `cursor` is selected, and the list is
   * scrolled until this entry is visible.
   */
  window<A>(list: ReadonlyArray<A>, rows: number, cursor?: number): ReadonlyArray<A> {
    this.#count = list.length
    this.#page = Math.max(1, rows)
    this.#cursor = cursor === undefined ? undefined : clamp(cursor, this.#count - 1)
    if (this.#cursor !== undefined) {
      this.#first = Math.min(this.#cursor, Math.max(this.#first, this.#cursor - this.#page + 1))
    }
    this.#first = clamp(this.#first, this.#count - this.#page)
    return list.slice(this.#first, this.#first + this.#page)
  }

  /** The index of the selected entry, or `undefined` if the list has no selection. */
  get cursor(): number | undefined {
    return this.#cursor
  }

  /** The index of the first visible entry. */
  get first(): number {
    return this.#first
  }

  toTop(): void {
    this.#first = 0
  }

  /** The range of the visible entries, for example `12–40 of 350`. Empty if all entries are visible. */
  get place(): string {
    if (this.#count <= this.#page) return ""
    return `${this.#first + 1}–${Math.min(this.#count, this.#first + this.#page)} of ${this.#count}`
  }
}

/** A table that fills the screen and scrolls. */
export const scrolled = <A>(
  columns: ReadonlyArray<Column<A>>,
  list: ReadonlyArray<A>,
  canvas: ScreenCanvas
): ReadonlyArray<string> => table(columns, canvas.scrolling.window(list, canvas.rows - FRAME_ROWS - 1), canvas)

/** Width of the mark before the selected row of {@link selectable}, in characters. */
export const MARK_COLUMNS = 2

/**
 * A scrolling table, as {@link scrolled} returns it, with a mark before the selected row. `cursor` is the index of this row. The rows must
 * be {@link MARK_COLUMNS} characters narrower than the screen, so that there is space for the mark.
 */
export const selectable = <A>(
  columns: ReadonlyArray<Column<A>>,
  list: ReadonlyArray<A>,
  canvas: ScreenCanvas,
  cursor: number
): ReadonlyArray<string> => {
  const { palette, rows, scrolling } = canvas
  const shown = scrolling.window(list, rows - FRAME_ROWS - 1, cursor)
  const [head = "", ...lines] = table(columns, shown, canvas)
  const selected = (scrolling.cursor ?? 0) - scrolling.first
  return [`  ${head}`, ...lines.map((line, i) => (i === selected ? `${palette.accent("▸")} ${line}` : `  ${line}`))]
}

/**
 * Formats the last line of the screen. The text `right` is on the right. The keys are on the left. If there is not enough space for all
 * keys, the last keys are omitted.
 */
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

/** The content of a view. */
export interface Frame {
  readonly title: string
  /** The text on the right side of the title line. */
  readonly state: string
  /** The line under the title. */
  readonly status?: string | undefined
  readonly body: ReadonlyArray<string>
  /** Keys of this view, in addition to the keys that all views have. */
  readonly keys: ReadonlyArray<KeyHelp>
  /** The help text for the arrow keys (default: `scroll`). */
  readonly arrows?: string
  /** While the user types, the last line shows this text in place of the keys. */
  readonly prompt?: string | undefined
}

/** Lists the keys, one per line. No line is wider than 40 columns. */
const keyLines = (keys: ReadonlyArray<KeyHelp>, { palette }: Canvas): ReadonlyArray<string> =>
  keys.map(([key, does]) => `${palette.accent(padEnd(key, 6))}${does}`)

/** Formats a view and its frame as the lines of the whole screen. */
export const frameLines = (parts: Frame, canvas: ScreenCanvas): ReadonlyArray<string> => {
  const { listsKeys, rows, scrolling } = canvas
  const keys: ReadonlyArray<KeyHelp> = [["q", "quit"], ["?", "keys"], ...parts.keys, ["↑↓", parts.arrows ?? "scroll"]]
  const body = listsKeys ? keyLines(keys, canvas) : parts.body
  const above = [heading(parts.title, parts.state, canvas), parts.status ?? "", ...body].slice(0, rows - 1)
  const filling = Array.from({ length: rows - 1 - above.length }, () => "")
  return [...above, ...filling, parts.prompt ?? footer(keys, scrolling.place, canvas)]
}
