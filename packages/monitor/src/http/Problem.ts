/** What went wrong with a request, in JSON. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { causeResponse } from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A refusal with its sentence for people. */
export const problem = (
  status: number,
  _tag: string,
  message: string,
  headers: Record<string, string> = {}
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe({ _tag, message }, { status, headers })

/** What the router and the readers of bodies refuse, by status with a tag and a sentence for people. What is left goes on as it is. */
export const explained =
  (refusals: Readonly<Record<number, readonly [_tag: string, message: string]>>) =>
  <E>(cause: Cause.Cause<E>): Effect.Effect<HttpServerResponse.HttpServerResponse, E> =>
    Effect.flatMap(causeResponse(cause), ([{ status }]) => {
      const refusal = refusals[status]
      return refusal === undefined ? Effect.failCause(cause) : Effect.succeed(problem(status, ...refusal))
    })
