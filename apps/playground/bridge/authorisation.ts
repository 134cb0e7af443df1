/**
 * Checks each request before its handler runs. The check is attached to the routes. Therefore each request that reaches a route is checked,
 * in every spelling of its path.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { problem } from "@sourcewire/ui/problem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { isJson, refusal } from "./guard.ts"
import { Settings } from "./Settings.ts"

/** Rejects requests that the guard refuses, and limits the rate of each client. A refused request does not count towards the rate. */
export const authorised = HttpRouter.middleware(
  Effect.gen(function* () {
    const { guard, keep, openStream, requests } = yield* Settings
    return (handle) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { headers, method, remoteAddress } = request
        const refused = refusal(headers, guard())
        if (refused !== undefined) return problem(403, "Forbidden", refused)
        const client = Option.getOrElse(remoteAddress, () => "")
        if (!requests.allows(client, performance.now(), 0)) {
          return problem(429, "TooManyRequests", "Too many requests. Try again in a second.")
        }
        if (method !== "POST") return yield* handle
        if (!isJson(headers))
          return problem(415, "NoJson", "The body of a request must have the content type application/json.")
        // Every POST can become a stream. Therefore each POST counts as a stream of its client until its response has been sent.
        const close = openStream(client)
        if (close === undefined) {
          return problem(429, "TooManyRequests", "Too many queries are running. Wait until one of them has ended.")
        }
        yield* Effect.addFinalizer(() => Effect.sync(close))
        const release = keep(NodeHttpServerRequest.toIncomingMessage(request).socket)
        yield* Effect.addFinalizer(() => Effect.sync(release))
        return yield* handle
      })
  })
).layer
