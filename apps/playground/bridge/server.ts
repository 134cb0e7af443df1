/** The bridge as layers: common checks and headers, the page, and the API. */
import { POLICY_HEADER, type PageFile, pageRoutes } from "@sourcewire/ui/page"
import { explained, problem } from "@sourcewire/ui/problem"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "./Api.ts"
import { authorised } from "./authorisation.ts"
import { isOwnHost } from "./guard.ts"
import { consoleLayer } from "./handlers/console.ts"
import { queriesLayer } from "./handlers/queries.ts"
import { serversLayer } from "./handlers/servers.ts"
import { formCheckedLayer } from "./form.ts"
import { Settings } from "./Settings.ts"

/** Headers of every response, including errors. */
const SECURITY_HEADERS = {
  "content-security-policy": POLICY_HEADER,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

/** Maximum size of a request's body: enough for a list of 5000 addresses. */
const MAX_BODY_KB = 512

// Other errors are closed connections or defects of the bridge, which the server handles.
const explain = explained({
  400: ["Unreadable", "The request cannot be read."],
  404: ["NotFound", "There is no page with this path."],
  413: ["TooLarge", `The request is larger than ${MAX_BODY_KB} kB.`]
})

/**
 * Applies to every request. Checks that the request was sent to a name of this bridge, and adds the headers to the response. Errors without
 * a message get a message.
 */
const everywhere = HttpRouter.middleware(
  Effect.gen(function* () {
    const { guard } = yield* Settings
    return (handle) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const response = isOwnHost(headers, guard())
          ? yield* Effect.catchCause(handle, explain)
          : problem(403, "Forbidden", "The bridge does not have this name. Open the URL that the bridge printed.")
        return HttpServerResponse.setHeaders(response, SECURITY_HEADERS)
      })
  }),
  { global: true }
)

/** The whole application, which requires {@link Settings} and a server. A request that matches no route gets status 404. */
export const application = (files: ReadonlyMap<string, PageFile>) =>
  HttpRouter.serve(
    Layer.mergeAll(
      HttpApiBuilder.layer(Api, { openapiPath: "/api/openapi.json" }).pipe(
        Layer.provide([queriesLayer, consoleLayer, serversLayer]),
        Layer.provide(formCheckedLayer),
        Layer.provide(authorised)
      ),
      pageRoutes(files)
    ).pipe(Layer.provide(everywhere)),
    { disableLogger: true, disableListenLog: true }
  ).pipe(Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.kilobytes(MAX_BODY_KB))))
