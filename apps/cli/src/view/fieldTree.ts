/**
 * Formats a datagram field by field, with the offset, length, bytes, name, value and meaning of each field. Also formats bytes as a hex
 * dump.
 */
import { type DissectedField, toHex } from "@sourcewire/protocol"
import { type Declaration, explainField } from "@sourcewire/protocol/wire"
import { type Column, left, right, table } from "../output/table.ts"
import { safe } from "../output/text.ts"
import type { Canvas } from "../output/output.ts"

const SHOWN_BYTES = 8

const hexPairs = (bytes: Uint8Array): string => toHex(bytes).replace(/..(?=.)/g, "$& ")

/**
 * Formats the first {@link SHOWN_BYTES} bytes of a field as pairs of hex digits. If the field is longer, an ellipsis follows the digits.
 */
export const formatHex = (bytes: Uint8Array, offset: number, length: number): string => {
  const pairs = hexPairs(bytes.subarray(offset, offset + Math.min(length, SHOWN_BYTES)))
  return length > SHOWN_BYTES ? `${pairs} …` : pairs
}

/**
 * Formats the value of a field. If the value is a text, it is in quotes. If the field contains raw bytes, the result is empty, because
 * another column shows the bytes.
 */
export const valueText = (field: DissectedField): string => {
  if (field.type === "bytes") return ""
  return typeof field.value === "string" && field.type !== "code" && field.type !== "u64"
    ? `"${safe(field.value)}"`
    : safe(String(field.value))
}

export const fieldTree = (
  fields: ReadonlyArray<DissectedField>,
  bytes: Uint8Array,
  declaration: Declaration | undefined,
  canvas: Canvas
): ReadonlyArray<string> => {
  const describeValue = (field: DissectedField): string => {
    const meaning = explainField(field, bytes, declaration)
    return `${valueText(field)}${meaning === undefined ? "" : ` (${meaning})`}`.trim()
  }
  const columns: ReadonlyArray<Column<DissectedField>> = [
    right("Offset", ({ offset }, { faint }) => ({ text: String(offset), paint: faint })),
    right("Length", ({ length }, { faint }) => ({ text: String(length), paint: faint })),
    left("Bytes", ({ length, offset }, { accent }) => ({ text: formatHex(bytes, offset, length), paint: accent })),
    left("Field", ({ path }) => path),
    left("Value", (field, { strong }) => ({ text: describeValue(field), paint: strong }), { flexible: true })
  ]
  return table(columns, fields, canvas, "  ")
}

const ROW_BYTES = 16

/** The lines of a hex dump. Each line begins with the offset of the first byte in this line. */
export const hexDump = (bytes: Uint8Array): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(bytes.length / ROW_BYTES) }, (_, row) => {
    const offset = row * ROW_BYTES
    const part = bytes.subarray(offset, offset + ROW_BYTES)
    const characters = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
    return `${String(offset).padStart(6)}  ${hexPairs(part).padEnd(ROW_BYTES * 3 - 1)}  ${characters.join("")}`
  })
