/**
 * A copy of an answer, so that two callers who get the same can do with it what they like. Answers are made of objects of JSON's types;
 * errors among them are shared.
 *
 * @module
 */

/** See the module. */
export const copyOf = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || value instanceof Error) return value
  if (Array.isArray(value)) return value.map(copyOf) as A
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyOf(field)])) as A
}
