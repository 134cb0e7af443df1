/**
 * The proxy's pages over HTTP, read only: `/metrics` for Prometheus, `/health` for whoever asks whether there are answers, `/live` for
 * whoever asks whether the process is. It has no passwords, so it belongs on loopback or a network of one's own.
 */
import type { ProxyStatus } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import * as http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { ProgramError, whyNotListening } from "../exitCode.ts"
import { jsonLine } from "../output/json.ts"
import { healthOf, metricsText } from "./metrics.ts"

/** Connections at once. One more takes the place of an older one: see {@link limitConnections}. */
export const MAX_CONNECTIONS = 32

/** From its beginning to its end, in ms: a request of one line, and an answer to somebody who reads it. */
const CONNECTION_MS = 10_000

type Page = readonly [status: number, type: string, body: string]

const TEXT = "text/plain; version=0.0.4; charset=utf-8"
const JSON_TYPE = "application/json"

export interface Pages {
  readonly status: () => ReadonlyArray<ProxyStatus>
  readonly logLinesLost: () => number
}

const pageOf = (url: string | undefined, { logLinesLost, status }: Pages): Page => {
  switch (url?.split("?")[0]) {
    case "/metrics":
      return [200, TEXT, metricsText(status(), logLinesLost())]
    case "/health": {
      const health = healthOf(status())
      return [health.ok ? 200 : 503, JSON_TYPE, `${jsonLine(health)}\n`]
    }
    case "/live":
      return [200, JSON_TYPE, '{"ok":true}\n']
    default:
      return [404, TEXT, "There are /metrics, /health and /live.\n"]
  }
}

const answer = (request: http.IncomingMessage, response: http.ServerResponse, pages: Pages): void => {
  const isRead = request.method === "GET" || request.method === "HEAD"
  const [code, type, body]: Page = isRead ? pageOf(request.url, pages) : [405, TEXT, "GET and HEAD only.\n"]
  response.writeHead(code, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    // One request each: so the age of a connection says how long somebody has kept it without asking.
    connection: "close",
    ...(isRead ? {} : { allow: "GET, HEAD" })
  })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** The oldest connection of the address that has most of them. */
const mostDispensable = (sockets: ReadonlySet<Socket>): Socket => {
  const byAddress = Map.groupBy(sockets, ({ remoteAddress }) => remoteAddress)
  return [...byAddress.values()].reduce((most, some) => (some.length > most.length ? some : most))[0]!
}

/**
 * Whoever holds connections, asks byte by byte or does not read his answer keeps nobody else out: a connection ends after its time,
 * whatever happens on it, and a new one is always taken, since who has just come is likelier to ask than who has waited.
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

/** Serves the pages for the life of the scope; gives where, as text. */
export const serveEndpoint = (
  bind: { readonly host: string; readonly port: number },
  pages: Pages,
  connectionMs: number = CONNECTION_MS
) =>
  Effect.acquireRelease(
    Effect.callback<http.Server, ProgramError>((resume) => {
      const server = http.createServer((request, response) => answer(request, response, pages))
      limitConnections(server, connectionMs)
      // Also later ones, as of a connection that the system has no room for: they end nothing.
      server.on("error", (error) =>
        resume(Effect.fail(new ProgramError(`The metrics cannot be served: ${whyNotListening(error)}`)))
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
