/**
 * What went wrong, as the body of a response: a tag for programs and a sentence for people.
 *
 * @module
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A response that says why there is no other. */
export const problem = (status: number, _tag: string, message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ _tag, message }, { status })
