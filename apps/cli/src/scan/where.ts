/**
 * The small language of `--where`: comparisons of a result's fields, joined by `&&`, `||`, `!` and brackets.
 *
 *     players > 0 && map == "de_dust2"
 *     name ~ "24/7" || (rttMs < 50 && !passwordProtected)
 *
 * Fields are those of INFO, and `address`, `rttMs`, `rttAmbiguous`, `ok`; a dot goes inside (`sourceTv.port`), also into other parts of the result
 * (`info.map`, `rules.announced`). `~` finds a text within another, whatever the case. A field that a result has not is unequal to
 * everything and neither less nor more.
 */
import * as Result from "effect/Result"

export type Predicate = (line: Readonly<Record<string, unknown>>) => boolean

type Value = (line: Readonly<Record<string, unknown>>) => unknown

interface Token {
  /** The group of {@link TOKEN} that it is; `end` behind the last. */
  readonly kind: string
  readonly text: string
  readonly offset: number
}

/** `none` is what cannot stand anywhere. */
const TOKEN =
  /(?<name>[A-Za-z_][\w.]*)|(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<sign>&&|\|\||[=!<>]=|[<>!~()])|(?<none>\S)/g

const stop = (message: string, offset: number): never => {
  throw new Error(`--where: ${message} at character ${offset + 1}`)
}

const tokensOf = (source: string): ReadonlyArray<Token> => {
  const tokens = Array.from(source.matchAll(TOKEN), ({ groups, index: offset }): Token => {
    const [kind, text] = Object.entries(groups!).find(([, text]) => text !== undefined)!
    return kind === "none" ? stop(`cannot read "${source.slice(offset, offset + 10)}"`, offset) : { kind, text, offset }
  })
  return [...tokens, { kind: "end", text: "", offset: source.length }]
}

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, "$1")

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const fieldOf =
  (path: string): Value =>
  (line) => {
    const names = path.split(".")
    // `players` is the number that INFO gives; the list of PLAYER is `players.players`.
    return names.reduce(memberOf, line["info"]) ?? names.reduce(memberOf, line as unknown)
  }

/** Ids and the values of rules are text: compared with a number, they are one where they look like one. */
const comparable = (value: unknown, other: unknown): unknown =>
  typeof value === "string" && typeof other === "number" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => typeof a === typeof b && (a as number) < (b as number),
  "<=": (a, b) => typeof a === typeof b && (a as number) <= (b as number),
  ">": (a, b) => typeof a === typeof b && (a as number) > (b as number),
  ">=": (a, b) => typeof a === typeof b && (a as number) >= (b as number),
  "~": (a, b) => typeof a === "string" && a.toLowerCase().includes(String(b).toLowerCase())
}

const CONSTANTS: Readonly<Record<string, unknown>> = { true: true, false: false }

const parse = (tokens: ReadonlyArray<Token>): Predicate => {
  let at = 0
  const takes = (sign: string): boolean => {
    const { kind, text } = tokens[at]!
    if (kind !== "sign" || text !== sign) return false
    at++
    return true
  }
  const joined = (sign: string, hold: "some" | "every", part: () => Predicate): Predicate => {
    const parts = [part()]
    while (takes(sign)) parts.push(part())
    return (line) => parts[hold]((one) => one(line))
  }
  const both = (): Predicate => joined("&&", "every", single)
  const either = (): Predicate => joined("||", "some", both)
  const single = (): Predicate => {
    if (takes("!")) {
      const inner = single()
      return (line) => !inner(line)
    }
    if (takes("(")) {
      const inner = either()
      if (!takes(")")) stop("a bracket is not closed", tokens[at]!.offset)
      return inner
    }
    const left = value()
    const { kind, text } = tokens[at]!
    const compare = kind === "sign" ? COMPARISONS[text] : undefined
    if (compare === undefined) return (line) => Boolean(left(line))
    at++
    const right = value()
    return (line) => {
      const other = right(line)
      return compare(comparable(left(line), other), other)
    }
  }
  const value = (): Value => {
    const { kind, offset, text } = tokens[at++]!
    if (kind === "number") return () => Number(text)
    if (kind === "text") return () => unquoted(text)
    if (kind !== "name") return stop(kind === "end" ? "something is missing" : `"${text}" does not belong`, offset)
    return Object.hasOwn(CONSTANTS, text) ? () => CONSTANTS[text] : fieldOf(text)
  }
  const whole = either()
  const { kind, offset, text } = tokens[at]!
  return kind === "end" ? whole : stop(`"${text}" does not belong`, offset)
}

export const parseWhere = (source: string): Result.Result<Predicate, Error> =>
  Result.try({ try: () => parse(tokensOf(source)), catch: (error) => error as Error })
