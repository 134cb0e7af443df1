/** What went wrong with a request, in JSON. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { causeResponse } from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A refusal with its sentence for people. */
export const problem = (
  status: number,
  _tag: string,
  message: string,
  headers: Record<string, string> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe({ _tag, message }, { status, headers })

/** Where a request has what it must not have, in words. */
const PLACES: Partial<Record<HttpApiSchemaError["kind"], string>> = {
  Params: "the path",
  Query: "the query",
  Payload: "the body",
  Headers: "the headers"
}

/** Most characters of a value that a message quotes. */
const MAX_QUOTED = 60

/** A value of a request as a message quotes it. */
const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`
}

/** Refuses a value in the query of a request: which parameter, what it must be, and what it was. */
export const badQuery = (
  parameter: string,
  wanted: string,
  given: string | null
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    {
      _tag: "BadRequest",
      message: `${parameter} in the query must be ${wanted}; it was ${quoted(given)}.`,
      parameter
    },
    { status: 400 }
  )

/** A choice of texts in a message. */
export const oneOf = (choices: ReadonlyArray<string>): string => `one of ${choices.map(quoted).join(", ")}`

/** Values of the types in JSON. */
const TYPES: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  String: "text",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object"
}

/** What a schema accepts. */
const acceptedBy = (ast: SchemaAST.AST): string => {
  if (ast._tag === "Literal") return quoted(ast.literal)
  if (ast._tag === "Union") {
    const choices = ast.types.map(acceptedBy)
    return choices.length === 1 ? choices[0]! : `one of ${choices.join(", ")}`
  }
  return TYPES[ast._tag] ?? "another value"
}

/** The least and the most that parameters may be which are numbers, by name. */
export type Numbers = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** What a parameter must be. The schemas of the API have this text at their checks; types have it here. */
const requirement = ({ ast, check, path }: Wrong, kind: HttpApiSchemaError["kind"], numbers: Numbers): string => {
  const number = kind === "Payload" ? undefined : numbers.get(path.join("."))
  if (number !== undefined) {
    return `a whole number between ${String(number["minimum"])} and ${String(number["maximum"])}`
  }
  const expected = check?.annotations?.expected
  if (typeof expected === "string") return expected
  return ast === undefined ? "another value" : acceptedBy(ast)
}

/** The first parameter of a request that is not valid. */
interface Wrong {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: SchemaIssue.Issue
  readonly check?: SchemaAST.Filter<unknown>
  readonly ast?: SchemaAST.AST
}

/** The innermost cause of an issue. A check describes its parameter better than what the check itself reports. */
const firstWrong = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): Wrong => {
  switch (issue._tag) {
    case "Pointer":
      return firstWrong(issue.issue, [...path, ...issue.path])
    case "Filter":
      return { path, issue, check: issue.filter }
    case "Encoding":
      return firstWrong(issue.issue, path)
    case "Composite":
      return firstWrong(issue.issues[0], path)
    case "InvalidType":
      return { path, issue, ast: issue.ast }
    case "AnyOf":
      // A body is a union of all bodies that its path accepts, usually of one.
      return issue.issues.length === 1 ? firstWrong(issue.issues[0]!, path) : { path, issue, ast: issue.ast }
    default:
      return { path, issue }
  }
}

/** The value at a path, as the request had it: decoded, text that is not a number would be NaN. */
const valueAt = (value: unknown, [key, ...rest]: ReadonlyArray<PropertyKey>): unknown =>
  key === undefined ? value : valueAt((value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], rest)

/** What is wrong with the parameters or the body of a request: which of them, what it must be, and what it was. */
const schemaProblem = (
  error: HttpApiSchemaError,
  numbers: Numbers
): HttpServerResponse.HttpServerResponse | undefined => {
  const place = PLACES[error.kind]
  if (place === undefined) return undefined
  const wrong = firstWrong(error.cause.issue)
  const { issue, path } = wrong
  const parameter = path.map(String).join(".")
  const name = parameter === "" ? place : `${parameter} in ${place}`
  const given = valueAt(error.cause.issue.input, path)
  const message =
    issue._tag === "MissingKey"
      ? `${name} is required.`
      : issue._tag === "UnexpectedKey"
        ? `${name} is not a known parameter.`
        : `${name} must be ${requirement(wrong, error.kind, numbers)}; it was ${quoted(given)}.`
  return HttpServerResponse.jsonUnsafe(
    { _tag: "BadRequest", message, ...(parameter === "" ? {} : { parameter }) },
    { status: 400 }
  )
}

/** What the router and the readers of bodies refuse, by status with a tag and a sentence for people. What is left goes on as it is. */
export const explained =
  (refusals: Readonly<Record<number, readonly [_tag: string, message: string]>>, numbers: Numbers = new Map()) =>
  <E>(cause: Cause.Cause<E>): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
    const defects = cause.reasons.flatMap((reason) => (Cause.isDieReason(reason) ? [reason.defect] : []))
    const wrong = defects.find((defect) => HttpApiSchemaError.is(defect))
    const described = wrong === undefined ? undefined : schemaProblem(wrong, numbers)
    if (described !== undefined) return Effect.succeed(described)
    return Effect.flatMap(causeResponse(cause), ([{ status }]) => {
      const refusal = refusals[status]
      return refusal === undefined ? Effect.failCause(cause) : Effect.succeed(problem(status, ...refusal))
    })
  }
