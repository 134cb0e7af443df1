/**
 * Explains to users which parts of a configuration do not match its schema. The descriptions by the library Effect are for programmers.
 */
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { nearest } from "../commandLine/suggest.ts"

type Path = ReadonlyArray<PropertyKey>

/**
 * Maximum number of problems that a message describes. If there are more problems, the message ends with the number of the remaining
 * problems.
 */
const MAX_SHOWN = 5

/** Formats a path, for example as `groups[0].name`. */
const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text === "" ? "" : "."}${String(key)}`),
    ""
  )

const subject = (path: Path): string => (path.length === 0 ? "the file" : formatPath(path))

const KINDS: Readonly<Partial<Record<SchemaAST.AST["_tag"], string>>> = {
  String: "a text",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object"
}

/** Describes the type that a schema requires. */
const expectedType = (ast: SchemaAST.AST): string => {
  if (ast._tag === "Literal") return JSON.stringify(ast.literal)
  if (ast._tag !== "Union") return KINDS[ast._tag] ?? "another value"
  const types = ast.types.map(expectedType)
  return ast.types.every(({ _tag }) => _tag === "Literal") ? `one of ${types.join(", ")}` : types.join(" or ")
}

const describeType = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "string" ? "a text" : typeof value === "object" ? "an object" : String(value)
}

/** Returns the value at a path, or `undefined` if the path does not exist. */
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Readonly<Record<PropertyKey, unknown>>)[key] : undefined,
    value
  )

interface Limits {
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** Describes the condition of a failed check, for example as "be a whole number". In the message, this text follows the word "must". */
const condition = (issue: SchemaIssue.Filter): string => {
  const own = SchemaIssue.defaultCheckHook(issue)
  if (own !== undefined) return own.replace(/^expected /, "be ")
  const { representation } = (issue.filter.annotations ?? {}) as {
    readonly representation?: { readonly id: string; readonly payload: Limits | null }
  }
  const { maxLength, maximum, minLength, minimum } = representation?.payload ?? {}
  if (minimum !== undefined) return `be from ${minimum} to ${maximum}`
  if (maxLength !== undefined) return `have at most ${maxLength} characters`
  if (minLength !== undefined) return "not be empty"
  return representation?.id.endsWith("isInt") === true ? "be a whole number" : "have another value"
}

/**
 * Describes the problems of an issue. If the schema allows several alternatives (a union), the user probably meant the alternative with the
 * fewest problems. Therefore only the problems of this alternative are described.
 */
const describe = (issue: SchemaIssue.Issue, path: Path, root: unknown): ReadonlyArray<string> => {
  switch (issue._tag) {
    case "Pointer":
      return describe(issue.issue, [...path, ...issue.path], root)
    case "Encoding":
      return describe(issue.issue, path, root)
    case "Composite":
      return issue.issues.flatMap((inner) => describe(inner, path, root))
    case "AnyOf": {
      const members = issue.issues.map((inner) => describe(inner, path, root))
      const [best] = members.toSorted((a, b) => a.length - b.length)
      if (best !== undefined) return best
      const value = valueAt(root, path)
      const isLiteral = issue.ast._tag === "Union" && issue.ast.types.every(({ _tag }) => _tag === "Literal")
      const shown = isLiteral && typeof value === "string" ? JSON.stringify(value) : describeType(value)
      return [`${subject(path)} must be ${expectedType(issue.ast)}, not ${shown}`]
    }
    case "Filter": {
      const value = valueAt(root, path)
      const not = typeof value === "number" ? `, not ${value}` : ""
      return [`${subject(path)} must ${condition(issue)}${not}`]
    }
    case "MissingKey":
      return typeof path.at(-1) === "number"
        ? [`${subject(path.slice(0, -1))} must not be empty`]
        : [`${subject(path)} is missing`]
    case "UnexpectedKey": {
      const names = issue.ast._tag === "Objects" ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
      const like = nearest(String(path.at(-1)), names)
      return [`there is no setting ${subject(path)}${like === undefined ? "" : ` (did you mean ${like}?)`}`]
    }
    case "InvalidType":
      return [`${subject(path)} must be ${expectedType(issue.ast)}, not ${describeType(valueAt(root, path))}`]
    default:
      return [`${subject(path)} is not valid`]
  }
}

/** Formats all problems of a value as one sentence, without the full stop. */
export const schemaProblems = (issue: SchemaIssue.Issue, value: unknown): string => {
  const all = [...new Set(describe(issue, [], value))]
  const more = all.length > MAX_SHOWN ? [`${all.length - MAX_SHOWN} more`] : []
  return [...all.slice(0, MAX_SHOWN), ...more].join("; ")
}
