/**
 * Values as the bridge's JSON has them. A message to the page would otherwise lose the fields of errors, and keep numbers that JSON has no
 * form for.
 */

/** Fields of errors that panes show. */
const SHOWN = ["_tag", "message", "phase", "text", "field", "offset"] as const

export const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value
  if (value instanceof Error) {
    const fields = value as unknown as Readonly<Record<string, unknown>>
    return Object.fromEntries(SHOWN.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}
