/** Parsers for the texts of keywords and rules. The parsers return `undefined` if the text is invalid. */
import type { FactValue, Kind } from "./declaration.ts"

/** Any text that is not empty. */
export const text: Kind = (value) => (value === "" ? undefined : value)

/** Any text, including an empty text. */
export const anyText: Kind = (value) => value

/** A whole number, which may be negative. */
export const whole: Kind = (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined)

/** A whole number that is not negative. */
export const count: Kind = (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined)

/** A number with or without a fraction. */
export const number: Kind = (value) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : undefined)

const YES = /^(?:t|true|1|y|yes)$/i
const NO = /^(?:f|false|0|n|no)$/i
const either =
  (yes: RegExp, no: RegExp): Kind =>
  (value) =>
    yes.test(value) ? true : no.test(value) ? false : undefined

/** A boolean: `true` if {@link YES} matches the text, `false` if {@link NO} matches the text. */
export const flag = either(YES, NO)

/** The opposite of {@link flag}: `true` if {@link NO} matches the text, `false` if {@link YES} matches the text. */
export const notFlag = either(NO, YES)

/** A keyword without a value. If the keyword is present, the fact has the value `meaning`. No text may follow the keyword. */
export const means =
  (meaning: FactValue): Kind =>
  (value) =>
    value === "" ? meaning : undefined

/** A text that is a key of `meanings`. The fact has the value of this key. */
export const oneOf =
  (meanings: Readonly<Record<string, FactValue>>): Kind =>
  (value) =>
    Object.hasOwn(meanings, value) ? meanings[value] : undefined

/** A text that the regular expression matches. */
export const matching =
  (form: RegExp): Kind =>
  (value) =>
    form.test(value) ? value : undefined

const LAST_SECOND = 253_402_300_799

/** Seconds since 1970, as an ISO 8601 time. */
export const unixTime: Kind = (value) => {
  const seconds = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
  return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : undefined
}

/** A list of texts with a separator between them. Empty texts are omitted. */
export const list =
  (separator: string) =>
  (value: string): ReadonlyArray<string> =>
    value.split(separator).flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))

/** Names of mods with a separator between them. */
export const modNames =
  (separator: string): Kind =>
  (value) =>
    list(separator)(value).map((name) => ({ name }))

/** Workshop ids of mods with a separator between them. */
export const modIds =
  (separator: string): Kind =>
  (value) => {
    const ids = value.split(separator)
    return ids.every((id) => /^\d{1,20}$/.test(id)) ? ids.map((id) => ({ id })) : undefined
  }
