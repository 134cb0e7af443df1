/** What goes wrong, as the page gets it: a tag for programs and a sentence for people, never a stack. */
import * as Effect from "effect/Effect"
import * as SchemaIssue from "effect/SchemaIssue"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { type Failure, FormChecked, Unusable } from "./Api.ts"

/** A response that says why there is no other. */
export const problem = (status: number, _tag: string, message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ _tag, message }, { status })

export const failureOf = (error: Pick<Failure, "_tag" | "message">): Failure => {
  const { _tag, message } = error
  const told = TOLD.flatMap((key) => ((error as Failure)[key] === undefined ? [] : [[key, (error as Failure)[key]]]))
  return { _tag, message, ...Object.fromEntries(told) }
}

const TOLD = ["phase", "text", "field", "offset"] as const

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

/** A sentence about the first thing that is not as its schema wants it, never what it was: it may be a password; `whole` names what has no field of its own. */
export const sentenceOf = (issue: SchemaIssue.Issue, whole: string): string => {
  const { message, path = [] } = issuesOf(issue).issues[0]!
  const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return `${field === "" ? whole : field}: ${message}.`
}
