/**
 * The filter of a master server's request: conditions as backslash-separated keys and values, `\gamedir\cstrike\secure\1`. Made of an
 * object, written, and read back; holding servers against it is the master's part.
 *
 * All conditions of a filter must hold. `nor` and `nand` stand before the conditions that they are about and give their number.
 *
 * @example
 * import { MasterFilter } from "@sourcewire/core/machines"
 * import * as Result from "effect/Result"
 * const filter = { gamedir: "cstrike", notEmpty: true, none: { map: "de_nuke", tags: ["alltalk"] } }
 * const text = Result.flatMap(MasterFilter.termsOf(filter), MasterFilter.format)
 * console.log(Result.getOrThrow(text)) // \gamedir\cstrike\empty\1\nor\2\map\de_nuke\gametype\alltalk
 */
import { TaggedError } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { holdsOf, isObject, isText } from "../edge.ts"

export { termsOf } from "./conditions.ts"
export type { Conditions } from "./conditions.ts"

/** One key and its value. */
export interface Condition {
  readonly key: string
  readonly value: string
}

/** Several conditions at once: `nor`, none of them may hold; `nand`, not all of them may. */
export interface Group {
  readonly operator: "nor" | "nand"
  readonly terms: ReadonlyArray<Term>
}

/** A part of a filter. */
export type Term = Condition | Group

/** A filter. An empty one lets every server through. */
export type MasterFilter = ReadonlyArray<Term>

/** The text is no filter, or the filter has no text. */
export class InvalidFilter extends /* @__PURE__ */ TaggedError("InvalidFilter")<{ readonly message: string }> {}

/** Terms of one filter, those in groups included. More do not fit into a request. */
export const MAX_TERMS = 128

/** Groups inside each other. */
export const MAX_DEPTH = 8

/** Characters of a filter as text: with the rest of the request it stays within one datagram. */
export const MAX_FILTER_LENGTH = 1200

/** Whether a term is a group. */
export const isGroup = (term: Term): term is Group => holdsOf(() => isObject(term) && "operator" in term)

const invalid = (message: string) => Result.fail(new InvalidFilter({ message }))

const isKey = (key: string): boolean => /^[a-z0-9_]+$/i.test(key) && key !== "nor" && key !== "nand"

/** Whether a term is one where JavaScript has made it. */
const isTerm = (term: unknown): boolean => {
  if (typeof term !== "object" || term === null) return false
  const { key, operator, terms, value } = term as Readonly<Record<string, unknown>>
  return operator === undefined
    ? typeof key === "string" && typeof value === "string"
    : (operator === "nor" || operator === "nand") && Array.isArray(terms)
}

const NO_TERM = "A term has a key and a value that are texts, or an operator (nor, nand) and terms."

/** The filter as the text of a request. */
export const format = (filter: MasterFilter): Result.Result<string, InvalidFilter> => {
  let text = ""
  let count = 0
  let problem: string | undefined
  const write = (terms: MasterFilter, depth: number): void => {
    if (depth > MAX_DEPTH) problem ??= `A filter may have ${MAX_DEPTH} groups inside each other at most.`
    if (!Array.isArray(terms)) problem ??= "A filter, or a group, has an array of terms."
    if (problem !== undefined) return
    for (const term of terms) {
      if (++count > MAX_TERMS) problem ??= `A filter may have ${MAX_TERMS} terms at most.`
      if (!isTerm(term)) {
        problem ??= NO_TERM
        return
      }
      if (isGroup(term)) {
        if (term.terms.length === 0) problem ??= `A group (${term.operator}) needs at least one condition.`
        text += `\\${term.operator}\\${term.terms.length}`
        write(term.terms, depth + 1)
        continue
      }
      if (!isKey(term.key)) problem ??= `"${term.key}" cannot be the key of a condition.`
      if (/[\\\0]/.test(term.value))
        problem ??= `The value of ${term.key} holds a backslash or a NUL, which end a value.`
      text += `\\${term.key}\\${term.value}`
    }
  }
  try {
    write(filter, 0)
  } catch {
    problem ??= NO_TERM
  }
  if (text.length > MAX_FILTER_LENGTH) problem ??= `A filter may have ${MAX_FILTER_LENGTH} characters at most.`
  return problem === undefined ? Result.succeed(text) : invalid(problem)
}

/** Reads the text of a request. A blank text is an empty filter. */
export const parse = (text: string): Result.Result<MasterFilter, InvalidFilter> => {
  if (!isText(text)) return invalid("A filter is a text.")
  if (text.trim() === "") return Result.succeed([])
  if (text.length > MAX_FILTER_LENGTH) return invalid(`A filter may have ${MAX_FILTER_LENGTH} characters at most.`)
  if (!text.startsWith("\\")) return invalid("A filter begins with a backslash.")
  const parts = text.slice(1).split("\\")
  // Some clients end the last value with one more backslash.
  if (parts.length % 2 === 1 && parts.at(-1) === "") parts.pop()
  if (parts.length % 2 === 1) return invalid(`The key ${parts.at(-1)} has no value.`)
  if (parts.length > 2 * MAX_TERMS) return invalid(`A filter may have ${MAX_TERMS} terms at most.`)
  const reading: { at: number; problem?: string } = { at: 0 }
  const read = (depth: number): Term => {
    const key = parts[reading.at++]!.toLowerCase()
    const value = parts[reading.at++]!
    if (key !== "nor" && key !== "nand") {
      if (!isKey(key)) reading.problem ??= `"${key}" cannot be the key of a condition.`
      return { key, value }
    }
    const size = /^\d{1,3}$/.test(value) ? Number(value) : 0
    if (size === 0) reading.problem ??= `After ${key} stands the number of its conditions, not "${value}".`
    if (depth >= MAX_DEPTH) reading.problem ??= `A filter may have ${MAX_DEPTH} groups inside each other at most.`
    const terms: Array<Term> = []
    while (reading.problem === undefined && terms.length < size) {
      if (reading.at < parts.length) terms.push(read(depth + 1))
      else reading.problem = `After ${key} stand fewer conditions than the ${size} announced.`
    }
    return { operator: key, terms }
  }
  const terms: Array<Term> = []
  while (reading.problem === undefined && reading.at < parts.length) terms.push(read(0))
  return reading.problem === undefined ? Result.succeed(terms) : invalid(reading.problem)
}
