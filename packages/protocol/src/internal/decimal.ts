/**
 * 64-bit numbers in messages. These numbers are decimal strings, the usual form of Steam ids in JavaScript.
 *
 * @module
 */

/** A whole number without leading zeros and with at most 20 digits, like the largest 64-bit number. */
export const DECIMAL = /^(?:0|[1-9]\d{0,19})$/

/** The largest unsigned 64-bit number. */
export const MAX_U64 = 0xffff_ffff_ffff_ffffn

/** Whether a value is an unsigned 64-bit number as a decimal string. */
export const isU64 = (value: unknown): value is string =>
  typeof value === "string" && DECIMAL.test(value) && BigInt(value) <= MAX_U64
