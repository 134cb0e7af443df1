/**
 * The filter in a request to a master server. The master server returns only the servers that match the filter. In the request, a filter is
 * a text of keys and values, for example `\gamedir\cstrike\secure\1`. This module creates filters from objects, formats filters as text,
 * and parses such texts.
 *
 * A server must meet all conditions of a filter. The operators `nor` and `nand` begin a group of conditions. In the text, the operator is
 * followed by the number of conditions in the group, and then by these conditions.
 *
 * @example
 * import { MasterFilter } from "@sourcewire/core/master"
 * import * as Result from "effect/Result"
 * const filter = { gamedir: "cstrike", notEmpty: true, none: { map: "de_nuke", tags: ["alltalk"] } }
 * const text = Result.flatMap(MasterFilter.toTerms(filter), MasterFilter.format)
 * console.log(Result.getOrThrow(text)) // \gamedir\cstrike\empty\1\nor\2\map\de_nuke\gametype\alltalk
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { tryCondition, isObject, isText } from "../edge.ts"
import type { Group, MasterFilter, Term } from "./terms.ts"

export { toTerms } from "./conditions.ts"
export type { Conditions } from "./conditions.ts"
export type { Condition, Group, MasterFilter, Term } from "./terms.ts"

/** The error if a text is not a valid filter, or if a filter cannot be formatted. */
export class InvalidFilter extends /* @__PURE__ */ TaggedError("InvalidFilter")<{ readonly message: string }> {}

/**
 * Maximum number of terms in a filter, including the terms in groups. Filters with more terms are usually longer than
 * {@link MAX_FILTER_LENGTH}.
 */
export const MAX_TERMS = 128

/** Maximum depth of nested groups. */
export const MAX_DEPTH = 8

/** Maximum length of a filter as text, in characters. A request with such a filter fits into one datagram. */
export const MAX_FILTER_LENGTH = 1200

/** Whether a term is a group. */
export const isGroup = (term: Term): term is Group => tryCondition(() => isObject(term) && "operator" in term)

const MOST_TERMS = `A filter can have at most ${MAX_TERMS} terms.`
const MOST_DEPTH = `Groups in a filter can be nested at most ${MAX_DEPTH} levels deep.`
const MOST_LENGTH = `A filter can have at most ${MAX_FILTER_LENGTH} characters.`
const NO_TERM = "A term must have a key and a value that are texts, or an operator (nor, nand) and terms."

/**
 * Returns the result of `make`, or the `InvalidFilter` that {@link must} has thrown in `make`. If a property of a term throws another error
 * while `make` reads the property, the filter is invalid, too.
 */
const catchInvalid = <A>(make: () => A): Result.Result<A, InvalidFilter> => {
  try {
    return Result.succeed(make())
  } catch (error) {
    return Result.fail(error instanceof InvalidFilter ? error : new InvalidFilter({ message: NO_TERM }))
  }
}

const must = (holds: boolean, message: string): void => {
  if (!holds) throw new InvalidFilter({ message })
}

const checkKey = (key: string): void =>
  must(
    /^[a-z0-9_]+$/i.test(key) && key !== "nor" && key !== "nand",
    `"${key}" is not a key of a condition. Keys consist of letters, digits and underscores.`
  )

/** Whether a value is a valid term. The parameter is `unknown`, because callers in JavaScript can pass any value. */
const isTerm = (term: unknown): boolean => {
  if (typeof term !== "object" || term === null) return false
  const { key, operator, terms, value } = term as Readonly<Record<string, unknown>>
  return operator === undefined
    ? typeof key === "string" && typeof value === "string"
    : (operator === "nor" || operator === "nand") && Array.isArray(terms)
}

/** Formats a filter for a request. */
export const format = (filter: MasterFilter): Result.Result<string, InvalidFilter> => {
  let count = 0
  const formatTerms = (terms: MasterFilter, depth: number): string => {
    must(depth <= MAX_DEPTH, MOST_DEPTH)
    must(Array.isArray(terms), "A filter or group must have an array of terms.")
    let text = ""
    for (const term of terms) {
      must(++count <= MAX_TERMS, MOST_TERMS)
      must(isTerm(term), NO_TERM)
      if (isGroup(term)) {
        must(term.terms.length > 0, `A group (${term.operator}) needs at least one condition.`)
        text += `\\${term.operator}\\${term.terms.length}${formatTerms(term.terms, depth + 1)}`
      } else {
        checkKey(term.key)
        must(
          !/[\\\0]/.test(term.value),
          `The value of ${term.key} contains a backslash or a NUL. These characters end a value.`
        )
        text += `\\${term.key}\\${term.value}`
      }
    }
    return text
  }
  return catchInvalid(() => {
    const text = formatTerms(filter, 0)
    must(text.length <= MAX_FILTER_LENGTH, MOST_LENGTH)
    return text
  })
}

/** Parses the text of a filter. A blank text is an empty filter. */
export const parse = (text: string): Result.Result<MasterFilter, InvalidFilter> =>
  catchInvalid(() => {
    must(isText(text), "A filter must be a text.")
    if (text.trim() === "") return []
    must(text.length <= MAX_FILTER_LENGTH, MOST_LENGTH)
    must(text.startsWith("\\"), "A filter must start with a backslash, as in \\secure\\1.")
    const parts = text.slice(1).split("\\")
    // Some clients add a backslash after the last value.
    if (parts.length % 2 === 1 && parts.at(-1) === "") parts.pop()
    must(parts.length % 2 === 0, `The filter's key ${parts.at(-1)} has no value.`)
    must(parts.length <= 2 * MAX_TERMS, MOST_TERMS)
    let at = 0
    const read = (depth: number): Term => {
      const key = parts[at++]!.toLowerCase()
      const value = parts[at++]!
      if (key !== "nor" && key !== "nand") {
        checkKey(key)
        return { key, value }
      }
      const size = /^\d{1,3}$/.test(value) ? Number(value) : 0
      must(size > 0, `The number of conditions must follow ${key}, not "${value}".`)
      must(depth < MAX_DEPTH, MOST_DEPTH)
      const terms: Array<Term> = []
      while (terms.length < size) {
        must(at < parts.length, `${key} announces ${size} conditions, but fewer follow.`)
        terms.push(read(depth + 1))
      }
      return { operator: key, terms }
    }
    const terms: Array<Term> = []
    while (at < parts.length) terms.push(read(0))
    return terms
  })
