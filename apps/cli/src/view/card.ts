/** A card: a heading with something small at its right, then labelled lines, then remarks on what was truncated or guessed. */
import type { PaintedText, Palette } from "../output/colours.ts"
import { displayWidth, fit, padEnd, wrap } from "../output/text.ts"
import type { Message } from "@sourcewire/protocol"
import { plural } from "./quantities.ts"

/** Where a view is drawn. */
export interface Canvas {
  /** Columns. */
  readonly width: number
  readonly palette: Palette
}

/** A labelled line: safe text without colours, which may wrap, or an already painted text, which may not. */
export interface CardLine {
  readonly label: string
  readonly text: string
  readonly painted?: boolean
}

const INDENT = "  "
const GAP = 2

/** A heading across the width. */
export const heading = (title: string | PaintedText, aside: string, { palette, width }: Canvas): string => {
  const { paint, text } = typeof title === "string" ? { text: title, paint: (shown: string) => shown } : title
  const room = width - displayWidth(aside) - GAP
  const left = fit(text, Math.max(12, room))
  const gap = " ".repeat(Math.max(GAP, width - displayWidth(left) - displayWidth(aside)))
  const strong = palette.strong(paint(left))
  return aside === "" ? strong : `${strong}${gap}${palette.faint(aside)}`
}

/** A remark that should not be missed. */
export const remark = (text: string, { palette, width }: Canvas): ReadonlyArray<string> =>
  wrap(text, width - INDENT.length - 2).map((line, i) => `${INDENT}${palette.warning(i === 0 ? "!" : " ")} ${line}`)

/** Lines of a card's body. */
export const body = (lines: ReadonlyArray<CardLine>, { palette, width }: Canvas): ReadonlyArray<string> => {
  const labelWidth = Math.max(0, ...lines.map((line) => displayWidth(line.label))) + GAP
  return lines.flatMap((line) => {
    const label = INDENT + palette.faint(padEnd(line.label, labelWidth))
    if (line.painted === true) return [label + line.text]
    const [first = "", ...rest] = wrap(line.text, Math.max(20, width - INDENT.length - labelWidth))
    return [label + first, ...rest.map((text) => INDENT + " ".repeat(labelWidth) + text)]
  })
}

/** The fields, of the message or within it, that have their bytes beside them. */
const guessedIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
        key.endsWith("Hex") && typeof inner === "string" ? [key.slice(0, -"Hex".length)] : guessedIn(inner)
      )

/** What a server announced of a list, and how much of it came. */
const truncation = (message: Message): string => {
  const [announced, arrived] =
    message._tag === "PlayersReply"
      ? [plural(message.announced, "player"), message.players.length]
      : message._tag === "RulesReply"
        ? [plural(message.announced, "rule"), message.rules.length]
        : []
  return announced === undefined
    ? "Truncated: something that was announced did not arrive whole."
    : `Truncated: the server announced ${announced}, ${arrived} arrived whole.`
}

/** What a reader should know about how a message came: what was truncated, guessed, left over. Nothing for a regular one. */
export const remarksOn = (message: Message): ReadonlyArray<string> => {
  const guessed = new Set(guessedIn(message))
  return [
    ...("truncated" in message && message.truncated === true ? [truncation(message)] : []),
    ...(guessed.size === 0
      ? []
      : [
          `Guessed: ${[...guessed].join(", ")} ${guessed.size === 1 ? "is" : "are"} not clean text in the expected encoding and may read wrongly; --encoding names another, --json shows the bytes.`
        ]),
    ...("trailing" in message && typeof message.trailing === "string"
      ? [`Left over: ${plural(message.trailing.length / 2, "byte")} after the message; --json shows them.`]
      : [])
  ]
}

/** The lines of {@link remarksOn}. */
export const remarks = (message: Message, canvas: Canvas): ReadonlyArray<string> =>
  remarksOn(message).flatMap((text) => remark(text, canvas))
