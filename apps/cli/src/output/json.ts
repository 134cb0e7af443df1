/**
 * Results as NDJSON.
 *
 * @module
 */

// Valid JSON may hold these as they are, but a terminal acts on them, and some readers take two of them for line ends.
const RISKY = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** One value on one line, without its line end. */
export const jsonLine = (value: unknown): string => JSON.stringify(value).replace(RISKY, escape)

/** An error as results carry it: its tag and message first, then what else it knows. */
export const errorJson = (error: { readonly _tag: string; readonly message: string }): Record<string, unknown> => {
  const { _tag, message, ...rest } = error
  return { _tag, message, ...rest }
}
