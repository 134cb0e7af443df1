/**
 * Stands around the handler of every route of the API. It is part of the routes: whatever spelling of a path the router takes for one
 * of them, there is no way to its handler but this, and a path that matches no route has no handler.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { problem } from "@sourcewire/ui/problem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { isJson, refusal } from "./guard.ts"
import { Settings } from "./Settings.ts"

/** Refuses whom the guard refuses, then counts what each client asks for; a refused request counts for nobody. */
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
          return problem(429, "TooManyRequests", "Too many requests: wait a second.")
        }
        if (method !== "POST") return yield* handle
        if (!isJson(headers))
          return problem(415, "NoJson", "The bridge reads bodies of the type application/json only.")
        // Every POST may turn into a stream, so each holds one of its client's places until its response has been sent.
        const close = openStream(client)
        if (close === undefined) {
          return problem(429, "TooManyRequests", "Too many queries at a time: wait for one to end.")
        }
        yield* Effect.addFinalizer(() => Effect.sync(close))
        const release = keep(NodeHttpServerRequest.toIncomingMessage(request).socket)
        yield* Effect.addFinalizer(() => Effect.sync(release))
        return yield* handle
      })
  })
).layer
