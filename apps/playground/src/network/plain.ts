/**
 * Converts values so that they equal the values that the bridge sends as JSON. Without this conversion, the page would receive errors
 * without their fields, and 64-bit numbers as `bigint`, which JSON does not support.
 */

/** The fields of an error that the page needs. */
const SHOWN = ["_tag", "message", "phase", "text", "field", "offset"] as const

export const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value
  if (value instanceof Error) {
    const fields = SHOWN.map((name): [name: string, value: unknown] => [name, Reflect.get(value, name)])
    return Object.fromEntries(fields.filter(([, one]) => one !== undefined))
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}
