/**
 * Iterates over the elements of a JSON array, and returns the position of each element in the text. `JSON.parse` would decode all elements
 * of a 16 MiB list at once, and meanwhile block all other work of the process. With this module, a caller can decode one element at a time,
 * and do other work between two elements.
 */
import * as Data from "effect/Data"

/**
 * A JSON value in a text: the value begins at `from` and ends before `to`. `kind` is the first character of the value, for example `{`,
 * `[`, `"`, a digit, or `t` for `true`.
 */
export interface JsonSlice {
  readonly kind: string
  readonly from: number
  readonly to: number
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}]|$)/y
const SPACE = /[ \t\n\r]*/y
/** Matches all characters before the next quotation mark or bracket. */
const INNER = /[^"[\]{}]*/y

/** Maximum depth of nested arrays and objects in an element. Real lists are nested less deeply. */
const MOST_DEPTH = 64

/** The error for a text that is not a valid list. */
export class BadList extends Data.TaggedError("BadList")<{ readonly message: string }> {}

const broken = (): never => {
  throw new BadList({ message: "it is not valid JSON" })
}

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** The position of the next character that is not white space. */
const skipSpace = (text: string, at: number): number => matchEnd(SPACE, text, at)

/** The end of the string that begins at a position. */
const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return broken()
    let slashes = 0
    while (text[at - 1 - slashes] === "\\") slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

/** The end of the value that begins at a position. If the value is an array or an object, only its strings and brackets are checked. */
const endOfValue = (text: string, from: number): number => {
  const first = text[from]
  if (first === '"') return endOfString(text, from)
  if (first !== "[" && first !== "{") {
    const end = matchEnd(LITERAL, text, from)
    return end < 0 ? broken() : end
  }
  let depth = 0
  for (let at = from; at < text.length;) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === "[" || char === "{") {
      if (++depth > MOST_DEPTH) return broken()
      at++
    } else if (char === "]" || char === "}") {
      at++
      if (--depth === 0) return at
    } else if (char === ",") at++
    else at = matchEnd(INNER, text, at)
  }
  return broken()
}

/** Yields the elements of the array that begins at a position, and returns the end of the array. */
function* elementsFrom(text: string, from: number): Generator<JsonSlice, number> {
  if (text[from] !== "[") return broken()
  let at = skipSpace(text, from + 1)
  if (text[at] === "]") return at + 1
  for (;;) {
    const to = endOfValue(text, at)
    yield { kind: text[at]!, from: at, to }
    at = skipSpace(text, to)
    if (text[at] === "]") return at + 1
    if (text[at] !== ",") return broken()
    at = skipSpace(text, at + 1)
  }
}

/**
 * Maximum number of fields of an object. An object with more fields is rejected, because reading it would take too long. The entries of
 * real lists have fewer fields.
 */
const MOST_FIELDS = 256
/** Maximum length of a key. Longer keys are truncated, but callers never look up such long keys. */
const MOST_KEY = 64

/**
 * The fields of the object that begins at a position, with the slices of their values. If a field occurs several times, its last value is
 * used.
 */
const fieldsFrom = (text: string, from: number): ReadonlyMap<string, JsonSlice> => {
  const fields = new Map<string, JsonSlice>()
  let at = skipSpace(text, from + 1)
  if (text[at] === "}") return fields
  for (let count = 0; ; count++) {
    if (text[at] !== '"' || count >= MOST_FIELDS) return broken()
    const end = endOfString(text, at)
    const key = text.slice(at + 1, Math.min(end - 1, at + 1 + MOST_KEY))
    at = skipSpace(text, end)
    if (text[at] !== ":") return broken()
    at = skipSpace(text, at + 1)
    const to = endOfValue(text, at)
    fields.set(key, { kind: text[at]!, from: at, to })
    at = skipSpace(text, to)
    if (text[at] === "}") return fields
    if (text[at] !== ",") return broken()
    at = skipSpace(text, at + 1)
  }
}

/** Yields the elements of the array in a slice. */
export const readElements = (text: string, { from }: JsonSlice): Generator<JsonSlice, number> =>
  elementsFrom(text, from)

/** The fields of the object in a slice. */
export const readFields = (text: string, { from }: JsonSlice): ReadonlyMap<string, JsonSlice> => fieldsFrom(text, from)

/** Yields the elements of an array. The text must contain nothing but this array. */
export function* elementsIn(text: string): Generator<JsonSlice> {
  const end = yield* elementsFrom(text, skipSpace(text, 0))
  if (skipSpace(text, end) !== text.length) broken()
}

/** The fields of the object at the start of the text. */
export const fieldsIn = (text: string): ReadonlyMap<string, JsonSlice> => {
  const from = skipSpace(text, 0)
  return text[from] === "{" ? fieldsFrom(text, from) : broken()
}

/** The string in a slice; `undefined` if the slice is not a string or is longer than `most` characters. */
export const stringIn = (text: string, { from, kind, to }: JsonSlice, most: number): string | undefined => {
  if (kind !== '"' || to - from > most) return undefined
  try {
    return JSON.parse(text.slice(from, to)) as string
  } catch {
    return broken()
  }
}
