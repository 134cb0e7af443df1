/** Says what is not as its schema wants it. Never what it was: it may be a password. */
import * as SchemaIssue from "effect/SchemaIssue"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** A sentence about the first thing that is wrong; `whole` names what has no field of its own. */
export const sentenceOf = (issue: SchemaIssue.Issue, whole: string): string => {
  const { message, path = [] } = issuesOf(issue).issues[0]!
  const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return `${field === "" ? whole : field}: ${message}.`
}
