/**
 * Converts values so that they equal the values that the bridge sends as JSON. Without the conversion, a message from the worker to the
 * page would lose the fields of errors, and would contain numbers that JSON does not support.
 */

/** The fields of errors that panes show. */
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
