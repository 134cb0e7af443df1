/** Describes where a request or options do not match their schema. */
import * as Effect from "effect/Effect"
import * as SchemaIssue from "effect/SchemaIssue"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { FormChecked, Unusable } from "./Api.ts"

/** Responds to a request that does not match the schema of its route with a message. */
export const formCheckedLayer = HttpApiMiddleware.layerSchemaErrorTransform(FormChecked, (error) =>
  // An invalid response is a defect of the bridge, not an error of the client.
  Effect.fail(
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? error
      : new Unusable({ message: formatProblem(error.cause.issue, "The body") })
  )
)

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first problem and the path of its field; the path is empty if the whole value is wrong. */
const findFirstProblem = (issue: SchemaIssue.Issue): { readonly field: string; readonly message: string } => {
  const { message, path = [] } = formatIssues(issue).issues[0]!
  return { field: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."), message }
}

/** The path of the first invalid field. */
export const findField = (issue: SchemaIssue.Issue): string => findFirstProblem(issue).field

/**
 * A message about the first problem. It does not contain the value, which may be a password. `whole` is the subject if the whole value is
 * wrong.
 */
export const formatProblem = (issue: SchemaIssue.Issue, whole: string): string => {
  const { field, message } = findFirstProblem(issue)
  return `${field === "" ? whole : field}: ${message}.`
}
