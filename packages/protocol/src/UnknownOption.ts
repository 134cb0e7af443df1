/**
 * Detects options that a function does not support. Without this check, a function would ignore a misspelt option and silently use the
 * default. The functions of all packages check their options with this module.
 */
import { InvalidOption } from "./Errors.ts"
import { demand, demandObject, demandText } from "./internal/edge.ts"

const demandNames = (names: ReadonlyArray<string>): void =>
  demand(Array.isArray(names) && names.every((name) => typeof name === "string"), "names", "must be an array of texts")

/** Edit distance: the minimum number of insertions, deletions and substitutions that change `a` to `b`. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

/**
 * The name that the caller probably meant; `undefined` if no name is similar to `wrong`. A name is similar if the name and `wrong` differ
 * only in case, in the ending (`timeout` for `timeoutMs`), or in at most about a third of the characters (`concurency` for `concurrency`).
 */
const nearestName = (wrong: string, names: ReadonlyArray<string>): string | undefined => {
  const text = wrong.toLowerCase()
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of names) {
    const one = name.toLowerCase()
    const distance = one.startsWith(text) || text.startsWith(one) ? 0.5 : editDistance(text, one)
    if (distance < Math.min(least, Math.max(one.length, text.length) / 3 + 1)) [nearest, least] = [name, distance]
  }
  return nearest
}

/**
 * Returns an error with a suggestion for the first option that is not in `names`, or `undefined` if `names` contains all options. `path` is
 * the path of the object that contains the options, for example `faults`.
 */
export const unknownOption = (given: object, names: ReadonlyArray<string>, path = ""): InvalidOption | undefined => {
  demandNames(names)
  demandText(path, "path")
  const wrong = Object.keys(demandObject(given, "options")).find((name) => !names.includes(name))
  if (wrong === undefined) return undefined
  const prefix = path === "" ? "" : `${path}.`
  const nearest = nearestName(wrong, names)
  const hint =
    nearest === undefined ? `The options are: ${names.join(", ") || "none"}.` : `Did you mean ${prefix}${nearest}?`
  return new InvalidOption({ message: `There is no option ${prefix}${wrong}. ${hint}`, option: prefix + wrong })
}

/** Returns a copy of the options. Throws if an option is {@link unknownOption | unknown} or cannot be read. */
export const demandOptions = <A extends object>(given: A, names: ReadonlyArray<string>): A => {
  const copy = demandObject(given, "options")
  const unknown = unknownOption(copy, names)
  if (unknown !== undefined) throw unknown
  return copy
}
