/** What went wrong with a request, in JSON. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A refusal with its sentence for people. */
export const problem = (
  status: number,
  _tag: string,
  message: string,
  headers: Record<string, string> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe({ _tag, message }, { status, headers })
