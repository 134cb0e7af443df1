/** What went wrong with a request, in JSON. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as SchemaIssue from "effect/SchemaIssue"
import { causeResponse } from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { NUMBERS } from "./Api.ts"

/** A refusal with its sentence for people. */
export const problem = (
  status: number,
  _tag: string,
  message: string,
  headers: Record<string, string> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe({ _tag, message }, { status, headers })

/**
 * What readers learn of a store that fails. The sentence of the database has its address or an error code in it, and is for the operator's
 * log alone.
 */
export const STORE_TROUBLE =
  "The monitor cannot write to its store. It keeps new history in memory meanwhile. The reason is in the monitor's log."

/** The same of reading. */
export const STORE_UNREADABLE =
  "The monitor cannot read its store now. Try again in a minute. The reason is in the monitor's log."

/** Where a request has what it must not have, in words. */
const PLACES: Partial<Record<HttpApiSchemaError["kind"], string>> = {
  Params: "the path",
  Query: "the query",
  Payload: "the body",
  Headers: "the headers"
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong with the parameters or the body of a request: which of them, and what it may be. */
const schemaProblem = (error: HttpApiSchemaError): HttpServerResponse.HttpServerResponse | undefined => {
  const place = PLACES[error.kind]
  if (place === undefined) return undefined
  const [issue] = format(error.cause.issue).issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  const number = NUMBERS.get(path)
  const wanted =
    number === undefined
      ? (issue?.message ?? "not valid")
      : `Expected a whole number between ${String(number["minimum"])} and ${String(number["maximum"])}`
  const message = `${path === "" ? place : `${path} in ${place}`}: ${wanted}.`
  return HttpServerResponse.jsonUnsafe(
    { _tag: "BadRequest", message, ...(path === "" ? {} : { parameter: path }) },
    { status: 400 }
  )
}

/** What the router and the readers of bodies refuse, by status with a tag and a sentence for people. What is left goes on as it is. */
export const explained =
  (refusals: Readonly<Record<number, readonly [_tag: string, message: string]>>) =>
  <E>(cause: Cause.Cause<E>): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
    const defects = cause.reasons.flatMap((reason) => (Cause.isDieReason(reason) ? [reason.defect] : []))
    const wrong = defects.find((defect) => HttpApiSchemaError.is(defect))
    const described = wrong === undefined ? undefined : schemaProblem(wrong)
    if (described !== undefined) return Effect.succeed(described)
    return Effect.flatMap(causeResponse(cause), ([{ status }]) => {
      const refusal = refusals[status]
      return refusal === undefined ? Effect.failCause(cause) : Effect.succeed(problem(status, ...refusal))
    })
  }
