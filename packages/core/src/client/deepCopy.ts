/** Copies a value of JSON's types. The value can also contain errors: they are not copied, and the copy contains the same error objects. */
export const deepCopy = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || value instanceof Error) return value
  if (Array.isArray(value)) return value.map(deepCopy) as A
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, deepCopy(field)])) as A
}
