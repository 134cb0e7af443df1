/**
 * Converts the worker's values to the values that the bridge would send as JSON, so that the page can process the values of both networks
 * in the same way. For example, JSON has no `bigint`, and the fields of an error would be lost on the way from the worker to the page.
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
