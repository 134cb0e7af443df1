/**
 * The bridge as layers: guard, page, API.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as ByteSize from "effect/ByteSize"
import { Api } from "./Api.ts"
import { refusal } from "./guard.ts"
import { consoleLayer } from "./handlers/console.ts"
import { queriesLayer } from "./handlers/queries.ts"
import { serversLayer } from "./handlers/servers.ts"
import type { PageFile } from "./pageFiles.ts"
import { CONTENT_SECURITY_POLICY } from "./policy.ts"
import { Settings } from "./Settings.ts"

/** Every response has them, refusals too. */
const SECURITY_HEADERS = {
  "content-security-policy": `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

/** A list of 5000 addresses fits, not much more. */
const MAX_BODY = ByteSize.kilobytes(512)

const problem = (status: number, _tag: string, message: string) =>
  HttpServerResponse.jsonUnsafe({ _tag, message }, { status })

/** Refuses what the guard refuses, before any handler runs, and counts what each client asks for. */
const guarded = HttpRouter.middleware(
  Effect.gen(function* () {
    const { guard, limits } = yield* Settings
    return (handle) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { headers } = request
        const path = request.url.split("?", 1)[0]!
        const refused = refusal(
          {
            path,
            host: headers["host"],
            origin: headers["origin"],
            site: headers["sec-fetch-site"],
            authorization: headers["authorization"]
          },
          guard()
        )
        const client = Option.getOrElse(request.remoteAddress, () => "")
        const response =
          refused !== undefined
            ? problem(403, "Forbidden", refused)
            : path.startsWith("/api") && !limits.request(client, performance.now())
              ? problem(429, "TooManyRequests", "Too many requests: wait a second.")
              : yield* streaming(handle, request.method, () => limits.open(client, performance.now()))
        return HttpServerResponse.setHeaders(response, SECURITY_HEADERS)
      })
  }),
  { global: true }
)

/** Every POST may turn into a stream, so each holds one of its client's places until its response has been sent. */
const streaming = <E, R>(
  handle: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  method: string,
  open: () => (() => void) | undefined
) =>
  method === "POST"
    ? Effect.gen(function* () {
        const close = open()
        if (close === undefined)
          return problem(429, "TooManyRequests", "Too many queries at a time: wait for one to end.")
        yield* Effect.addFinalizer(() => Effect.sync(close))
        return yield* handle
      })
    : handle

const pageRoutes = (files: ReadonlyMap<string, PageFile>) =>
  HttpRouter.add("GET", "/*", (request) =>
    Effect.sync(() => {
      const file = files.get(request.url.split("?", 1)[0]!)
      if (file === undefined) return problem(404, "NotFound", "There is no such file.")
      return HttpServerResponse.uint8Array(file.bytes, {
        contentType: file.contentType,
        headers: { "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache" }
      })
    })
  )

/** The whole application; needs {@link Settings} and a server. */
export const application = (files: ReadonlyMap<string, PageFile>) =>
  HttpRouter.serve(
    Layer.mergeAll(
      HttpApiBuilder.layer(Api, { openapiPath: "/api/openapi.json" }).pipe(
        Layer.provide([queriesLayer, consoleLayer, serversLayer])
      ),
      pageRoutes(files)
    ).pipe(Layer.provide(guarded)),
    { disableLogger: true, disableListenLog: true }
  ).pipe(Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, MAX_BODY)))
