/** The bridge as layers: what holds everywhere, the page, the API. */
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

/** Every response has them, refusals too. */
const SECURITY_HEADERS = {
  "content-security-policy": POLICY_HEADER,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

/** A list of 5000 addresses fits, not much more. */
const MAX_BODY_KB = 512

// What is left is an end of the connection or a mistake of the bridge, which the server reports.
const explain = explained({
  400: ["Unreadable", "The request cannot be read."],
  404: ["NotFound", "There is nothing here."],
  413: ["TooLarge", `The request is larger than ${MAX_BODY_KB} kB.`]
})

/** Around every response: it goes to a name of this bridge, has the headers, and where nobody else said why it refuses, it does. */
const everywhere = HttpRouter.middleware(
  Effect.gen(function* () {
    const { guard } = yield* Settings
    return (handle) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const response = isOwnHost(headers, guard())
          ? yield* Effect.catchCause(handle, explain)
          : problem(403, "Forbidden", "This address is not one of the bridge's own.")
        return HttpServerResponse.setHeaders(response, SECURITY_HEADERS)
      })
  }),
  { global: true }
)

/** The whole application; needs {@link Settings} and a server. Whatever matches no route is answered with 404, and nothing is done. */
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
