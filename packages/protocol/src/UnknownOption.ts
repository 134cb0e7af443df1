/**
 * Options that a function does not have. A misspelt option would otherwise be ignored, and the default would be used in silence. All
 * packages check their options with this module.
 */
import { InvalidOption } from "./Errors.ts"
import { demand, demandObject, demandText } from "./internal/edge.ts"

const demandNames = (names: ReadonlyArray<string>): void =>
  demand(Array.isArray(names) && names.every((name) => typeof name === "string"), "names", "must be an array of texts")

/** Insertions, deletions and substitutions that turn one text into the other. */
const distanceOf = (a: string, b: string): number => {
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
 * The name that was probably meant: one that differs in case, in an ending (`timeout` for `timeoutMs`) or in about a third of its
 * characters (`concurency`). `undefined` if none is close.
 */
const nearestName = (wrong: string, names: ReadonlyArray<string>): string | undefined => {
  const text = wrong.toLowerCase()
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of names) {
    const one = name.toLowerCase()
    const distance = one.startsWith(text) || text.startsWith(one) ? 0.5 : distanceOf(text, one)
    if (distance < Math.min(least, Math.max(one.length, text.length) / 3 + 1)) [nearest, least] = [name, distance]
  }
  return nearest
}

/** The first option that is none of these, as an error with a suggestion; `path` is where the options stand, as in `faults`. */
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

/** Options of which none is {@link unknownOption | unknown}, which would be thrown, as a copy that can be read. */
export const demandOptions = <A extends object>(given: A, names: ReadonlyArray<string>): A => {
  const copy = demandObject(given, "options")
  const unknown = unknownOption(copy, names)
  if (unknown !== undefined) throw unknown
  return copy
}
