/** Colours by meaning. A plain palette leaves text as it is, so that views never ask whether there are colours. */
import type { Colour } from "@sourcewire/core/text"
import { styleText } from "node:util"

/** Paints a text that is already safe for a terminal. */
export type Paint = (text: string) => string

/** What the views distinguish. */
export interface Palette {
  /** Names and headings. */
  readonly strong: Paint
  /** Labels, units, what can be skipped when reading. */
  readonly faint: Paint
  /** What the eye should find first. */
  readonly accent: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
  /** Colours that a text brings along. */
  readonly colours: Readonly<Record<Colour, Paint>>
}

const identity: Paint = (text) => text

/** No colours: files, pipes, `NO_COLOR`. */
export const plain: Palette = {
  strong: identity,
  faint: identity,
  accent: identity,
  good: identity,
  warning: identity,
  bad: identity,
  colours: {
    black: identity,
    red: identity,
    green: identity,
    yellow: identity,
    blue: identity,
    cyan: identity,
    magenta: identity
  }
}

const paint =
  (format: Parameters<typeof styleText>[0]): Paint =>
  (text) =>
    styleText(format, text, { validateStream: false })

/** The sixteen colours of the terminal's own theme. */
export const coloured: Palette = {
  strong: paint("bold"),
  faint: paint("dim"),
  accent: paint("cyan"),
  good: paint("green"),
  warning: paint("yellow"),
  bad: paint("red"),
  colours: {
    // Black would not be seen where that is the background.
    black: paint("gray"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    blue: paint("blue"),
    cyan: paint("cyan"),
    magenta: paint("magenta")
  }
}
