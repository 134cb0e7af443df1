/**
 * Parses the expressions of `--where`. An expression compares fields of a result with values. It can combine comparisons with `&&`, `||`,
 * `!` and parentheses.
 *
 *     players > 0 && map == "de_dust2"
 *     name ~ "24/7" || (rttMs < 50 && !passwordProtected)
 *
 * - The fields are the fields of INFO, and `address`, `rttMs`, `rttAmbiguous` and `ok`. An unknown field is an error.
 * - A dot selects a nested field. For example, `sourceTv.port` is the field `port` of INFO's field `sourceTv`, and `rules.announced` is a
 *   field of the reply to RULES. `info.map` means the same as `map`.
 * - `name ~ "text"` tests whether the value of `name` contains the text. The case of letters is ignored.
 * - If a result lacks a field, every comparison of this field is false, except a comparison with `!=`.
 */
import { type Declaration, findDeclaration } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { didYouMean, nearest } from "../commandLine/suggest.ts"

export type Predicate = (line: Readonly<Record<string, unknown>>) => boolean

type Value = (line: Readonly<Record<string, unknown>>) => unknown

interface Token {
  /**
   * The name of the group in {@link TOKEN} that matches the token. The kind `end` is for the token that marks the end of the expression.
   */
  readonly kind: string
  readonly text: string
  readonly offset: number
}

/** Matches the tokens of an expression. If no token begins at a character, this character matches the group `none`. */
const TOKEN =
  /(?<name>[A-Za-z_][\w.]*)|(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<sign>&&|\|\||[=!<>]=|[<>!~()])|(?<none>\S)/g

const stop = (message: string, offset: number): never => {
  throw new Error(`--where, character ${offset + 1}: ${message}${message.endsWith("?") ? "" : "."}`)
}

const tokenize = (source: string): ReadonlyArray<Token> => {
  const tokens = Array.from(source.matchAll(TOKEN), ({ groups, index: offset }): Token => {
    const [kind, text] = Object.entries(groups!).find(([, text]) => text !== undefined)!
    return kind === "none" ? stop(`unexpected "${source.slice(offset, offset + 10)}"`, offset) : { kind, text, offset }
  })
  return [...tokens, { kind: "end", text: "", offset: source.length }]
}

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, "$1")

const readMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const readField =
  (path: string): Value =>
  (line) => {
    const names = path.split(".")
    // If INFO and the result have a field with the same name, the field of INFO is used. For example, `players` is the number of players in
    // INFO, and not the reply to PLAYER. `players.players` is the list in the reply to PLAYER.
    return names.reduce(readMember, line["info"]) ?? names.reduce(readMember, line as unknown)
  }

/**
 * Converts a value for a comparison. In results, 64-bit ids and values of rules are texts, even if these texts consist of digits.
 * Therefore, if such a text is compared with a number, it is converted to a number.
 */
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

/**
 * Maps the name of each valid field to the names of its nested fields. If a field is mapped to `undefined`, a nested field can have any
 * name.
 */
type Fields = ReadonlyMap<string, ReadonlyArray<string> | undefined>

type Element = Declaration["fields"][number]

const listFields = (elements: ReadonlyArray<Element>): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  elements.flatMap((one) => {
    if (one.kind === "bits") return listFields(one.fields.map(({ element }) => element))
    const inside = one.kind === "group" ? listFields(one.fields).map(([name]) => name) : []
    return [
      [one.name, inside],
      [`${one.name}Hex`, []],
      [`${one.name}Code`, []]
    ] as const
  })

const INFO: Fields = new Map([
  ["_tag", []],
  ["trailing", []],
  ...["InfoReply", "GoldSourceInfoReply"].flatMap((tag) => listFields(findDeclaration(tag)!.fields))
])

const LINE: Fields = new Map<string, ReadonlyArray<string> | undefined>([
  ...INFO,
  ["address", []],
  ["ok", []],
  ["rttMs", []],
  ["rttAmbiguous", []],
  ["info", [...INFO.keys()]],
  ["legacyInfo", [...INFO.keys()]],
  ["players", ["announced", "players", "truncated"]],
  ["playersAssumed", []],
  ["rules", ["announced", "rules", "truncated"]],
  ["error", undefined],
  ["errors", undefined],
  // Results contain the field `verdict` only with `--verdict`.
  ["verdict", ["contradicted", "observations", "findings"]]
])

/**
 * Finds the first unknown name in a path. Returns this name and the names that are valid at its position, or `undefined` if the path is
 * valid.
 */
const unknownIn = ([first = "", ...rest]: ReadonlyArray<string>, fields: Fields): Unknown | undefined => {
  if (!fields.has(first)) return { name: first, names: [...fields.keys()] }
  if (rest.length === 0) return undefined
  if (/^(?:legacyI|i)nfo$/.test(first)) return unknownIn(rest, INFO)
  const inside = fields.get(first)
  return inside === undefined || inside.includes(rest[0]!) ? undefined : { name: rest[0]!, names: inside }
}

interface Unknown {
  readonly name: string
  readonly names: ReadonlyArray<string>
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
      const [one, other] = [left(line), right(line)]
      if (one === undefined || other === undefined) return text === "!="
      return compare(comparable(one, other), other)
    }
  }
  const value = (): Value => {
    const { kind, offset, text } = tokens[at++]!
    if (kind === "number") return () => Number(text)
    if (kind === "text") return () => unquoted(text)
    if (kind !== "name") return stop(kind === "end" ? "a value is missing" : `unexpected "${text}"`, offset)
    if (Object.hasOwn(CONSTANTS, text)) return () => CONSTANTS[text]
    const unknown = unknownIn(text.split("."), LINE)
    if (unknown === undefined) return readField(text)
    const like = nearest(unknown.name, unknown.names)
    return stop(
      `there is no field "${unknown.name}"${didYouMean(like).replace(/^ D/, "; d") || "; fields are for example name, map, players and rttMs"}`,
      offset
    )
  }
  const whole = either()
  const { kind, offset, text } = tokens[at]!
  return kind === "end" ? whole : stop(`unexpected "${text}"`, offset)
}

export const parsePredicate = (source: string): Result.Result<Predicate, Error> =>
  Result.try({ try: () => parse(tokenize(source)), catch: (error) => error as Error })
