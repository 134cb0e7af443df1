/** A datagram field by field: where each stands, its bytes, its value, and what it means. */
import { toHex } from "@sourcewire/protocol"
import type { DissectedField } from "@sourcewire/protocol"
import type { Cell, Column } from "../output/table.ts"
import { table } from "../output/table.ts"
import { safe } from "../output/text.ts"
import type { Canvas } from "./card.ts"

const SHOWN_BYTES = 8

/** The first bytes in pairs, an ellipsis behind them where there are more. */
export const hexOf = (bytes: Uint8Array, offset: number, length: number, shown = SHOWN_BYTES): string => {
  const end = Math.min(offset + Math.min(length, shown), bytes.length)
  const pairs = toHex(bytes, offset, end).replace(/..(?=.)/g, "$& ")
  return length > shown ? `${pairs} …` : pairs
}

/** A value as it is told from its neighbours: texts in quotes. */
export const valueText = (field: DissectedField): string => {
  if (field.type === "bytes") return ""
  return typeof field.value === "string" && field.type !== "code" && field.type !== "u64"
    ? `"${safe(field.value)}"`
    : safe(String(field.value))
}

const columns: ReadonlyArray<Column> = [
  { title: "Offset", align: "right" },
  { title: "Length", align: "right" },
  { title: "Bytes" },
  { title: "Field" },
  { title: "Value", flexible: true }
]

/** Lines of the tree. */
export const fieldTree = (
  fields: ReadonlyArray<DissectedField>,
  bytes: Uint8Array,
  { palette, width }: Canvas
): ReadonlyArray<string> => {
  const rows = fields.map((field): ReadonlyArray<Cell> => [
    { text: String(field.offset), paint: palette.faint },
    { text: String(field.length), paint: palette.faint },
    { text: hexOf(bytes, field.offset, field.length), paint: palette.accent },
    field.path,
    { text: valueText(field), paint: palette.strong }
  ])
  return table(columns, rows, { width, palette, indent: "  " })
}
