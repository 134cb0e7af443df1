/** Responses for invalid requests and other errors, as JSON. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { causeResponse } from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** An error response with a message. */
export const problem = (
  status: number,
  _tag: string,
  message: string,
  headers: Record<string, string> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe({ _tag, message }, { status, headers })

/** Names of the parts of a request that can be invalid. */
const PLACES: Partial<Record<HttpApiSchemaError["kind"], string>> = {
  Params: "the path",
  Query: "the query",
  Payload: "the body",
  Headers: "the headers"
}

/** Maximum number of characters of a quoted value. */
const MAX_QUOTED = 60

/** A value from a request, quoted for an error message. */
const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`
}

/** The response to an invalid query parameter. It contains the name of the parameter, the accepted values, and the value that was sent. */
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

/** A list of accepted texts for an error message. */
export const oneOf = (choices: ReadonlyArray<string>): string => `one of ${choices.map(quoted).join(", ")}`

/** Names of the JSON types in error messages. */
const TYPES: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  String: "text",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list",
  Objects: "an object"
}

/** Describes the values that a schema accepts. */
const acceptedBy = (ast: SchemaAST.AST): string => {
  if (ast._tag === "Literal") return quoted(ast.literal)
  if (ast._tag === "Union") {
    const choices = ast.types.map(acceptedBy)
    return choices.length === 1 ? choices[0]! : `one of ${choices.join(", ")}`
  }
  return TYPES[ast._tag] ?? "another value"
}

/** Minimum and maximum of each numeric parameter, by the name of the parameter. */
export type Numbers = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/**
 * Describes the accepted values of a parameter. If `numbers` contains the parameter, the text states its minimum and its maximum.
 * Otherwise, if a check with a description has failed, the text is this description. In all other cases, the text names the accepted values
 * or the accepted type.
 */
const requirement = ({ ast, check, path }: Wrong, kind: HttpApiSchemaError["kind"], numbers: Numbers): string => {
  const number = kind === "Payload" ? undefined : numbers.get(path.join("."))
  if (number !== undefined) {
    return `a whole number between ${String(number["minimum"])} and ${String(number["maximum"])}`
  }
  const expected = check?.annotations?.expected
  if (typeof expected === "string") return expected
  return ast === undefined ? "another value" : acceptedBy(ast)
}

/** The first invalid parameter of a request. */
interface Wrong {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: SchemaIssue.Issue
  readonly check?: SchemaAST.Filter<unknown>
  readonly ast?: SchemaAST.AST
}

/**
 * Finds the innermost cause of an issue. If the cause is a failed check, the result contains this check, because its description names the
 * accepted values.
 */
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
      // The body is a union of all bodies that the path accepts. Usually, the union has only one member.
      return issue.issues.length === 1 ? firstWrong(issue.issues[0]!, path) : { path, issue, ast: issue.ast }
    default:
      return { path, issue }
  }
}

/** Returns the value at a path of a request that is not decoded yet. Decoding would replace the text of an invalid number by NaN. */
const valueAt = (value: unknown, [key, ...rest]: ReadonlyArray<PropertyKey>): unknown =>
  key === undefined ? value : valueAt((value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], rest)

/**
 * The response to an invalid parameter or body. Its message names the parameter. If the parameter is known and was sent, the message also
 * names the accepted values and the value that was sent.
 */
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

/**
 * Converts errors of the router and of decoders to responses with a tag and a message. If a parameter or body is invalid, the message names
 * it. For any other error, the tag and the message are looked up in `refusals` by the status of the response. If `refusals` does not
 * contain this status, the error is not converted.
 */
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
