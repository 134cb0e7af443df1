/**
 * The monitor's pages over HTTP: the API, its events and description, what Prometheus reads, and whether all is well. Read only, but for the monitor's own list.
 */
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Datagrams } from "@sourcewire/core/transport"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import type { ServeError } from "effect/http/HttpServerError"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { constants } from "node:zlib"
import type { Standing } from "../fleet/Standing.ts"
import type { Store } from "../store/Store.ts"
import { Monitor } from "../watch/Monitor.ts"
import { type Access, gateOf, type Verdict } from "./access.ts"
import { Api } from "./Api.ts"
import { badgeOf } from "./badge.ts"
import { eventsRoute } from "./events.ts"
import { handlers } from "./handlers.ts"
import { Here } from "../locations/Here.ts"
import { locationMetrics, monitorMetrics, serverMetrics } from "./metrics.ts"
import { sourceMetrics } from "./sources.ts"
import { type PageFile, pageRoutes } from "./Page.ts"
import { explained, problem } from "./Problem.ts"
import { type TargetList, targetListRoutes } from "./targetList.ts"
import { makeProbe, metricsResponse } from "./probe.ts"

/** Where the monitor listens, and to whom. */
export interface WebOptions {
  /** Numeric. */
  readonly host: string
  readonly port: number
  readonly access: Access
  /** Certificate and key, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Whether there is history. */
  readonly history: boolean
  /** The dashboard, by paths on the server. */
  readonly page?: ReadonlyMap<string, PageFile> | undefined
  /** The monitor's own list, where whoever may read may change it too. */
  readonly list?: TargetList | undefined
}

/** Without these a page of somebody else's could do with an answer what its author wants. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

const REFUSALS: Readonly<Record<Exclude<Verdict, "welcome">, () => HttpServerResponse.HttpServerResponse>> = {
  unknown: () =>
    problem(401, "Unauthorised", "A token or a name and password is wanted.", {
      "www-authenticate": 'Basic realm="sourcewire", charset="UTF-8"'
    }),
  foreign: () =>
    problem(403, "Forbidden", "Without a password the monitor answers to its address and to localhost only."),
  busy: () => problem(429, "Busy", "Too many passwords are looked at now.", { "retry-after": "1" })
}

const explain = explained({
  400: ["Unreadable", "The request makes no sense."],
  404: ["NotFound", "There is nothing here."]
})

/** For whoever asks whether the process is there, and has started: nothing that needs a password. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/live", "/ready"])

const everywhere = (verdictOn: ReturnType<typeof gateOf>) =>
  HttpRouter.middleware(
    Effect.map(
      Monitor,
      (monitor) => (handle) =>
        Effect.gen(function* () {
          const { headers, url } = yield* HttpServerRequest.HttpServerRequest
          const path = url.split("?", 1)[0]!
          const isOpen = OPEN_PATHS.has(path) || (path.startsWith("/badge/") && monitor.plan().publicBadges)
          const verdict = isOpen ? "welcome" : yield* Effect.promise(() => verdictOn(headers))
          const response = verdict === "welcome" ? yield* Effect.catchCause(handle, explain) : REFUSALS[verdict]()
          return HttpServerResponse.setHeaders(response, { ...HEADERS, ...response.headers })
        })
    ),
    { global: true }
  )

/** What is made anew for each reader is compressed in no time rather than well; events go out as they come. */
const compression = HttpMiddleware.compression({
  algorithms: ["gzip"],
  compressible: (type) => type.startsWith("application/json"),
  levels: { gzip: constants.Z_BEST_SPEED }
})

const queryOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new URL(url, "http://monitor").searchParams
)

/** Prometheus' `http_sd` format: the targets by group. */
const serviceDiscovery = ({ plan }: typeof Monitor.Service, only: string | null) =>
  [...Map.groupBy(plan().targets, ([, group]) => group)].flatMap(([{ labels, name }, entries]) =>
    only === null || name === only
      ? [{ targets: entries.map(([address]) => address), labels: { group: name, ...labels } }]
      : []
  )

const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const here = yield* Here
    const probe = yield* makeProbe
    const health = (ok: boolean, more: object = {}) =>
      HttpServerResponse.jsonUnsafe({ ok, ...more }, { status: ok ? 200 : 503 })
    type Answer = Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      never,
      HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
    >
    const answers: Readonly<Record<`/${string}`, Answer>> = {
      "/live": Effect.succeed(health(true)),
      "/ready": Effect.sync(() => {
        const { isLively, trouble, writes } = monitor.keeper
        return health(trouble === undefined && (writes > 0 || !isLively))
      }),
      "/health": Effect.sync(() => {
        const { trouble } = monitor.keeper
        const counts = { targets: monitor.targets.size, waiting: monitor.waiting() }
        return health(trouble === undefined, trouble === undefined ? counts : { ...counts, store: trouble })
      }),
      "/metrics": Effect.map(Clock.currentTimeMillis, (now) => {
        const asked = here.monitor()
        const apart = asked === undefined ? "" : locationMetrics(here.name, asked.ours())
        return metricsResponse(
          serverMetrics(monitor.ours()) + apart + monitorMetrics(monitor, asked, now) + sourceMetrics(monitor)
        )
      }),
      "/badge/:file": Effect.gen(function* () {
        const { file = "" } = yield* HttpRouter.params
        const target = monitor.find(file.replace(/\.svg$/, ""))
        if (target === undefined) return problem(404, "NoTarget", "There is no such target.")
        yield* monitor.refresh([target])
        const age = Math.ceil(target.group.intervalMs / 1000)
        return HttpServerResponse.text(badgeOf(target), {
          contentType: "image/svg+xml; charset=utf-8",
          // Pages of others show it.
          headers: { "cache-control": `max-age=${age}`, "cross-origin-resource-policy": "cross-origin" }
        })
      }),
      "/probe": Effect.flatMap(queryOf, probe),
      "/targets": Effect.map(queryOf, (query) =>
        HttpServerResponse.jsonUnsafe(serviceDiscovery(monitor, query.get("group")))
      )
    }
    for (const [path, answer] of Object.entries(answers)) yield* router.add("GET", path as `/${string}`, answer)
  })
)

/** Where the monitor listens. */
export class Web extends Context.Service<Web, { readonly port: number }>()("@sourcewire/monitor/Web") {}

const listening = Layer.effect(
  Web,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({ port: "port" in address ? address.port : 0 }))
)

/** Serves the pages for as long as the layer lives. */
export const layer = (options: WebOptions): Layer.Layer<Web, ServeError, Monitor | Standing | Store | Datagrams> => {
  const { access, history, host, list, page = new Map(), port, tls } = options
  const limits = {
    requestTimeout: 10_000,
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 30_000
  }
  const server = tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...tls })
  server.maxConnections = 2048
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
      Layer.provide(handlers({ history, adds: list !== undefined }))
    ),
    eventsRoute,
    pages,
    pageRoutes(page),
    ...(list === undefined ? [] : [targetListRoutes(list)])
  ).pipe(Layer.provide(everywhere(gateOf(access))))
  const serving = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true, middleware: compression })
  return Layer.merge(listening, serving).pipe(
    // An upgrade is answered like any other request.
    Layer.tap(() => Effect.sync(() => server.removeAllListeners("upgrade"))),
    // Streams of events end with their readers: nobody waits for them.
    Layer.provide(NodeHttpServer.layerServer(() => server, { host, port, gracefulShutdownTimeout: 0 })),
    Layer.provide(NodeHttpPlatform.layer),
    // In place of files, which it neither reads nor sends.
    Layer.provide(HttpServer.layerServices)
  )
}
