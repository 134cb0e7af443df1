/** What is wrong with the form of a request or of options, as a sentence. */
import * as Effect from "effect/Effect"
import * as SchemaIssue from "effect/SchemaIssue"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { FormChecked, Unusable } from "./Api.ts"

/** Answers a request that does not have the form of its route with a sentence. */
export const formCheckedLayer = HttpApiMiddleware.layerSchemaErrorTransform(FormChecked, (error) =>
  // What the bridge itself says wrongly is its own mistake.
  Effect.fail(
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? error
      : new Unusable({ message: sentenceOf(error.cause.issue, "The body") })
  )
)

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is not as its schema wants it, and where it is; empty for the whole. */
const firstOf = (issue: SchemaIssue.Issue): { readonly field: string; readonly message: string } => {
  const { message, path = [] } = issuesOf(issue).issues[0]!
  return { field: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."), message }
}

/** Its field alone. */
export const fieldOf = (issue: SchemaIssue.Issue): string => firstOf(issue).field

/** A sentence about the first thing that is not as its schema wants it, never what it was: it may be a password; `whole` names what has no field of its own. */
export const sentenceOf = (issue: SchemaIssue.Issue, whole: string): string => {
  const { field, message } = firstOf(issue)
  return `${field === "" ? whole : field}: ${message}.`
}
