/**
 * Compares two replies without encoding the replies as JSON.
 *
 * @module
 */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Whether two values of JSON types are equal. If a field is `undefined` in one value and absent in the other value, the function can return
 * `false`.
 */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  let fields = 0
  for (const field in a) {
    if (a[field] !== b[field] && !isSame(a[field], b[field])) return false
    fields++
  }
  for (const _ in b) fields--
  return fields === 0
}
