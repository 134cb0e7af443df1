/**
 * The monitor's HTTP server. It serves the API (including the event stream and the OpenAPI description), the pages, the metrics for
 * Prometheus, and health checks. Over HTTP, a client can change only the monitor's own list, its webhooks and its mutes.
 */
import * as NodeHttpPlatform from "@effect/platform-node/NodeHttpPlatform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { displayText } from "@sourcewire/core/text"
import type { Datagrams } from "@sourcewire/core/transport"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import type { ServeError } from "effect/http/HttpServerError"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { constants } from "node:zlib"
import type { FleetStatusService } from "../fleet/FleetStatusService.ts"
import { makeUptimes, type Period, PERIODS } from "../history/uptime.ts"
import { Store } from "../store/Store.ts"
import { inAll, Monitor } from "../watch/Monitor.ts"
import type { Watched } from "../watch/Watched.ts"
import { type Access, makeGate, type Verdict } from "./access.ts"
import { Api, NUMBERS } from "./Api.ts"
import { renderBadge } from "./badge.ts"
import { createWebServer } from "./connections.ts"
import { eventsRoute } from "./events.ts"
import { exportRoutes } from "./export.ts"
import { handlers } from "./handlers.ts"
import { LocationMonitor } from "../locations/LocationMonitor.ts"
import { locationMetrics, monitorMetrics, serverMetrics } from "./metrics.ts"
import { sourceMetrics } from "./sources.ts"
import { STORE_TROUBLE, STORE_UNREADABLE } from "./storeTrouble.ts"
import { type PageFile, pageRoutes } from "@sourcewire/ui/page"
import { badQuery, explained, oneOf, problem } from "@sourcewire/ui/problem"
import type { TargetList } from "./targetList.ts"
import { findRefusal } from "./ownOrigin.ts"
import { openApiRoute } from "./openapi.ts"
import { makeProbe, metricsStream } from "./probe.ts"
import { isPublicStatus, statusRoutes } from "./status.ts"

/** Settings of the HTTP server: where it listens, who may use it, and what it serves. */
export interface WebOptions {
  /** The numeric address to listen on. */
  readonly host: string
  readonly port: number
  readonly access: Access
  /** The TLS certificate and its key, as PEM. Absent for HTTP without TLS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Whether the monitor stores history. */
  readonly history: boolean
  /** The files of the dashboard, by path. */
  readonly page?: ReadonlyMap<string, PageFile> | undefined
  /** The monitor's own list. If the list is present, every client with read access can also change the list. */
  readonly list?: TargetList | undefined
}

/** With these headers, browsers do not let pages of other sites embed or read the responses. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
}

/** Maximum size of a request's body, in kilobytes. */
const MAX_BODY_KB = 4
const MAX_BODY = ByteSize.kilobytes(MAX_BODY_KB)

const REFUSALS: Readonly<Record<Exclude<Verdict, "welcome">, () => HttpServerResponse.HttpServerResponse>> = {
  unknown: () =>
    problem(401, "Unauthorised", "A token, or a name and a password, is required.", {
      "www-authenticate": 'Basic realm="sourcewire", charset="UTF-8"'
    }),
  foreign: () =>
    problem(403, "Forbidden", "Without a password, the monitor replies under its numeric address and localhost only."),
  busy: () =>
    problem(429, "Busy", "Too many passwords are being checked. Try again in a second.", { "retry-after": "1" })
}

const explain = explained(
  {
    400: ["BadRequest", "The request cannot be read."],
    404: ["NotFound", "There is no page with this path. /openapi.json describes all paths."],
    413: ["TooLarge", `The body of a request may have up to ${MAX_BODY_KB} kB.`]
  },
  NUMBERS
)

/** Paths of health checks. These paths require no credentials, and reveal only whether the monitor works. */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/live", "/ready"])

const everywhere = (verdictOn: ReturnType<typeof makeGate>) =>
  HttpRouter.middleware(
    Effect.map(
      Monitor,
      (monitor) => (handle) =>
        Effect.gen(function* () {
          const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
          const path = url.split("?", 1)[0]!
          const isOpen =
            OPEN_PATHS.has(path) ||
            (path.startsWith("/badge/") && monitor.plan().publicBadges) ||
            isPublicStatus(path, monitor)
          const verdict = isOpen ? "welcome" : yield* Effect.promise(() => verdictOn(headers))
          const limited = Effect.provideService(handle, HttpIncomingMessage.MaxBodySize, MAX_BODY)
          const response =
            verdict === "welcome"
              ? (findRefusal(method, headers) ?? (yield* Effect.catchCause(limited, explain)))
              : REFUSALS[verdict]()
          return HttpServerResponse.setHeaders(response, { ...HEADERS, ...response.headers })
        })
    ),
    { global: true }
  )

const COMPRESSED = /^(application\/(json|x-ndjson)|text\/(csv|plain))\b/

/**
 * Responses are compressed at the fastest level, because each compressed response is sent to only one client. Events are not compressed, so
 * that they are sent without delay.
 */
const compression = HttpMiddleware.compression({
  algorithms: ["gzip"],
  compressible: (type) => COMPRESSED.test(type),
  levels: { gzip: constants.Z_BEST_SPEED }
})

const readQuery = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new URL(url, "http://monitor").searchParams
)

/** The targets by group, in Prometheus' `http_sd` format. */
const serviceDiscovery = ({ plan }: typeof Monitor.Service, only: string | null) =>
  [...Map.groupBy(plan().targets, ([, group]) => group)].flatMap(([{ labels, name }, entries]) =>
    only === null || name === only
      ? [{ targets: entries.map(([address]) => address), labels: { group: name, ...labels } }]
      : []
  )

const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const locationMonitor = yield* LocationMonitor
    const probe = yield* makeProbe
    const uptimes = makeUptimes(yield* Store)
    const unqueried = (): number => inAll([monitor, locationMonitor.monitor() ?? []].flat()).unqueried()
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
        const { isShared, error: trouble, writes } = monitor.writer
        return health(trouble === undefined && unqueried() === 0 && (writes > 0 || !isShared))
      }),
      "/health": Effect.sync(() => {
        const { error: trouble } = monitor.writer
        const counts = { targets: monitor.targets.size, waiting: monitor.waiting() }
        return health(trouble === undefined && unqueried() === 0, {
          ...counts,
          ...(trouble === undefined ? {} : { store: STORE_TROUBLE }),
          ...(unqueried() === 0 ? {} : { unqueriedSlices: unqueried() })
        })
      }),
      "/metrics": Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const only = (yield* readQuery).get("group")
        const { groups, namesInMetrics } = monitor.plan()
        if (only !== null && !groups.has(only))
          return problem(404, "NoGroup", `There is no group ${displayText(only)}.`)
        const atLocation = locationMonitor.monitor()
        const inGroup = (targets: ReadonlyArray<Watched>): ReadonlyArray<Watched> =>
          only === null ? targets : targets.filter(({ group }) => group.name === only)
        function* portions() {
          yield* serverMetrics(inGroup(monitor.ownTargets()), namesInMetrics)
          if (atLocation !== undefined) yield* locationMetrics(locationMonitor.name, inGroup(atLocation.ownTargets()))
          if (only === null) yield monitorMetrics(monitor, atLocation, now) + sourceMetrics(monitor)
        }
        return metricsStream(portions())
      }),
      "/badge/:file": Effect.gen(function* () {
        const { file = "" } = yield* HttpRouter.params
        const target = monitor.find(file.replace(/\.svg$/, ""))
        if (target === undefined) return problem(404, "NoTarget", "There is no such target.")
        yield* monitor.refresh([target])
        const period = (yield* readQuery).get("uptime")
        if (period !== null && !PERIODS.includes(period as Period)) {
          return badQuery("uptime", oneOf(PERIODS), period)
        }
        const now = yield* Clock.currentTimeMillis
        const uptime =
          period === null
            ? undefined
            : Option.getOrUndefined(yield* Effect.option(uptimes([target], now)))?.get(target.id)
        if (period !== null && uptime === undefined) return problem(503, "NoHistory", STORE_UNREADABLE)
        const badge = renderBadge(target, {
          isMuted: monitor.muted(target) !== undefined,
          ...(uptime === undefined ? {} : { uptime: [period as Period, uptime] })
        })
        const age = Math.ceil(target.group.intervalMs / 1000)
        return HttpServerResponse.text(badge, {
          contentType: "image/svg+xml; charset=utf-8",
          // Pages of other sites may embed the badge.
          headers: { "cache-control": `max-age=${age}`, "cross-origin-resource-policy": "cross-origin" }
        })
      }),
      "/probe": Effect.flatMap(readQuery, probe),
      "/targets": Effect.map(readQuery, (query) =>
        HttpServerResponse.jsonUnsafe(serviceDiscovery(monitor, query.get("group")))
      )
    }
    for (const [path, answer] of Object.entries(answers)) yield* router.add("GET", path as `/${string}`, answer)
  })
)

/** The HTTP server while it is running. */
export class Web extends Context.Service<Web, { readonly port: number }>()("@sourcewire/monitor/Web") {}

const listening = Layer.effect(
  Web,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({ port: "port" in address ? address.port : 0 }))
)

/** Runs the HTTP server of the monitor while the layer exists. */
export const layer = (
  options: WebOptions
): Layer.Layer<Web, ServeError, Monitor | FleetStatusService | Store | Datagrams> => {
  const { access, history, host, list, page = new Map(), port, tls } = options
  const server = createWebServer(tls)
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers({ history, list }))),
    openApiRoute,
    exportRoutes,
    eventsRoute,
    pages,
    statusRoutes,
    pageRoutes(page)
  ).pipe(Layer.provide(everywhere(makeGate(access))))
  const serving = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true, middleware: compression })
  return Layer.merge(listening, serving).pipe(
    // Without listeners for `upgrade`, Node.js handles a request with the header `Upgrade` as if the header were absent.
    Layer.tap(() => Effect.sync(() => server.removeAllListeners("upgrade"))),
    // Event streams end only when their readers disconnect. Therefore the shutdown does not wait for open requests.
    Layer.provide(NodeHttpServer.layerServer(() => server, { host, port, gracefulShutdownTimeout: 0 })),
    Layer.provide(NodeHttpPlatform.layer),
    // These services have no access to files, because the server reads no files.
    Layer.provide(HttpServer.layerServices)
  )
}
