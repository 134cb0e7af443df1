/**
 * Any value of JavaScript in a few words, for sentences that say what is wrong with it.
 *
 * @module
 */

const LONGEST_SHOWN = 60

/** A value in a few words, whatever it is. */
export const shown = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value)
    case "function":
    case "symbol":
      return `a ${typeof value}`
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object"
    default:
      return String(value)
  }
}
