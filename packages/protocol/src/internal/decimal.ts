/**
 * 64-bit numbers as messages carry them: in decimal, as the JavaScript world writes Steam's ids.
 *
 * @module
 */

/** A whole number without leading zeros, of as many digits as 64 bits take. */
export const DECIMAL = /^(?:0|[1-9]\d{0,19})$/

/** The largest of 64 bits. */
export const MAX_U64 = 0xffff_ffff_ffff_ffffn

/** Whether this is a 64-bit number in decimal. */
export const isU64 = (value: unknown): value is string =>
  typeof value === "string" && DECIMAL.test(value) && BigInt(value) <= MAX_U64
