/**
 * Checks arguments, because JavaScript can pass values that TypeScript forbids. If a value is invalid, the caller gets an error that names
 * the argument, and not a `TypeError` from internal code.
 */
import { InvalidOption, Malformed } from "../Errors.ts"
import { isBytes } from "../Wire.ts"

/** Returns the result of `get`, or `undefined` if `get` throws. `get` reads a caller's object, whose getters can throw. */
export const read = <A>(get: () => A): A | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

const BYTES = "a Uint8Array or a Buffer"

const conversionHint = (value: unknown): string => {
  if (typeof value === "string") return "; fromHex converts hex to bytes"
  if (Array.isArray(value)) return "; Uint8Array.from converts an array"
  return value instanceof ArrayBuffer ? "; new Uint8Array converts an ArrayBuffer" : ""
}

const describeKind = (value: unknown): string => {
  if (typeof value !== "object") return value === undefined ? "undefined" : `a ${typeof value}`
  return value === null ? "null" : Array.isArray(value) ? "an array" : "another object"
}

/** Returns the text that follows the argument's name in an error message about a value that is not bytes. */
export const noBytes = (value: unknown): string =>
  `must be ${BYTES}, not ${describeKind(value)}${conversionHint(value)}`

/** Creates the error for a value that is not a datagram. */
export const noDatagram = (messageTag: string, value: unknown): Malformed =>
  new Malformed({ message: `datagram ${noBytes(value)}`, messageTag, field: "datagram", offset: 0, hex: "" })

/** Throws `InvalidOption` if the condition is false. */
export const demand = (holds: boolean, option: string, must: string): void => {
  if (!holds) throw new InvalidOption({ message: `${option} ${must}.`, option })
}

export const demandBytes = (value: unknown, option: string): void => {
  if (!isBytes(value)) demand(false, option, noBytes(value))
}

export const demandText = (value: unknown, option: string): void =>
  demand(typeof value === "string", option, "must be a text")

export const demandWhole = (value: unknown, option: string, least: number, most: number): void =>
  demand(
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    option,
    `must be a whole number from ${least} to ${most}`
  )

export const demandOneOf = (value: unknown, option: string, values: ReadonlyArray<string>): void =>
  demand(values.includes(value as string), option, `must be one of ${values.join(", ")}`)

export const demandFunction = (value: unknown, option: string): void =>
  demand(typeof value === "function", option, "must be a function")

/**
 * Returns a copy of the object `value`. Throws `InvalidOption` if `value` is not an object, or if reading a property throws. Check the
 * properties of the copy, not of `value`, because a getter can return a different value on each read.
 */
export const demandObject = <A extends object>(value: A, option: string): A => {
  const copy = typeof value === "object" && value !== null ? read(() => ({ ...value })) : undefined
  demand(copy !== undefined, option, "must be an object whose properties can be read")
  return copy!
}
