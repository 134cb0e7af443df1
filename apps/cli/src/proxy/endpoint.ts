/**
 * The proxy's read-only pages over HTTP. `/metrics` is for Prometheus, `/health` reports whether queries get replies, and `/live` reports
 * whether the process runs. The pages have no password. Therefore they should be served only on loopback or in a private network.
 */
import type { ProxyStatus } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import * as http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { ProgramError, explainListenError } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { buildHealth, metricsText } from "./metrics.ts"

/**
 * Maximum number of open connections. If a client opens a further connection, the proxy closes an old one (see {@link mostDispensable}).
 */
export const MAX_CONNECTIONS = 32

/** Maximum duration of a connection in ms. A normal client needs much less than this time for a request and its response. */
const CONNECTION_MS = 10_000

type Page = readonly [status: number, type: string, body: string]

const TEXT = "text/plain; version=0.0.4; charset=utf-8"
const JSON_TYPE = "application/json"

export interface Pages {
  readonly status: () => ReadonlyArray<ProxyStatus>
  readonly logLinesLost: () => number
}

const findPage = (url: string | undefined, { logLinesLost, status }: Pages): Page => {
  switch (url?.split("?")[0]) {
    case "/metrics":
      return [200, TEXT, metricsText(status(), logLinesLost())]
    case "/health": {
      const health = buildHealth(status())
      return [health.ok ? 200 : 503, JSON_TYPE, `${jsonLine(health)}\n`]
    }
    case "/live":
      return [200, JSON_TYPE, '{"ok":true}\n']
    default:
      return [404, TEXT, "Not found. The pages are /metrics, /health and /live.\n"]
  }
}

const answer = (request: http.IncomingMessage, response: http.ServerResponse, pages: Pages): void => {
  const isRead = request.method === "GET" || request.method === "HEAD"
  const [code, type, body]: Page = isRead ? findPage(request.url, pages) : [405, TEXT, "GET and HEAD only.\n"]
  response.writeHead(code, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    // Each connection is closed after one request. Therefore a connection that stays open belongs to a slow or idle client.
    connection: "close",
    ...(isRead ? {} : { allow: "GET, HEAD" })
  })
  response.end(request.method === "HEAD" ? undefined : body)
}

/**
 * Returns the connection to close when too many connections are open. The function first finds the client address with the most
 * connections. It then returns the oldest connection from this address.
 */
const mostDispensable = (sockets: ReadonlySet<Socket>): Socket => {
  const byAddress = Map.groupBy(sockets, ({ remoteAddress }) => remoteAddress)
  return [...byAddress.values()].reduce((most, some) => (some.length > most.length ? some : most))[0]!
}

/**
 * Prevents slow or idle clients from blocking other clients. A connection is closed when it reaches the maximum duration. If too many
 * connections are open, each new connection closes an old one.
 */
const limitConnections = (server: http.Server, connectionMs: number): void => {
  const open = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    if (open.size >= MAX_CONNECTIONS) {
      const ended = mostDispensable(open)
      open.delete(ended)
      ended.destroy()
    }
    open.add(socket)
    const timer = setTimeout(() => socket.destroy(), connectionMs)
    socket.once("close", () => {
      clearTimeout(timer)
      open.delete(socket)
    })
  })
}

/** Serves the pages until the scope closes. Returns the URL of the server, without a path. */
export const serveEndpoint = (
  bind: { readonly host: string; readonly port: number },
  pages: Pages,
  connectionMs: number = CONNECTION_MS
) =>
  Effect.acquireRelease(
    Effect.callback<http.Server, ProgramError>((resume) => {
      const server = http.createServer((request, response) => answer(request, response, pages))
      limitConnections(server, connectionMs)
      // After the server has started, calls of `resume` have no effect. Therefore errors after the start are ignored, for example if the
      // system cannot accept another connection.
      server.on("error", (error) =>
        resume(Effect.fail(new ProgramError(`The metrics cannot be served: ${explainListenError(error)}`)))
      )
      server.listen(bind.port, bind.host, () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      const { address, family, port } = server.address() as AddressInfo
      return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
    })
  )
