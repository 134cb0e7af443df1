/**
 * Creates the HTTP or HTTPS server, with limits for the number of connections and the duration of requests. If a new connection exceeds the
 * maximum number of connections, the server closes an idle connection. Among the clients with idle connections, the server selects the
 * client with the most connections, and closes its oldest idle connection. Therefore idle connections of one client cannot block other
 * clients. While no other client connects, a single client can use all connections. All addresses of an IPv6 /64 network are treated as one
 * client.
 */
import { IpRanges } from "@sourcewire/core/address"
import { createServer, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { Socket } from "node:net"

interface Connection {
  readonly socket: Socket
  readonly from: string
  /** Number of requests on this connection whose responses are not complete yet. */
  busy: number
}

const formatSocket = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** Limits the connections of an HTTP or HTTPS server. Call this function before the server listens. */
export const limitConnections = (server: Server, most: number): void => {
  /**
   * The open connections, oldest first. The key is the client's address and port. With TLS, the "connection" event and the requests contain
   * different socket objects. Therefore the socket cannot be the key.
   */
  const open = new Map<string, Connection>()

  const makeRoom = (): Connection | undefined => {
    const counts = new Map<string, number>()
    for (const { from } of open.values()) counts.set(from, (counts.get(from) ?? 0) + 1)
    let found: Connection | undefined
    for (const one of open.values()) {
      if (one.busy === 0 && (found === undefined || counts.get(one.from)! > counts.get(found.from)!)) found = one
    }
    return found
  }

  server.on("connection", (socket: Socket) => {
    const name = formatSocket(socket)
    const from = IpRanges.network(socket.remoteAddress ?? "", 64)
    open.set(name, { socket, from, busy: 0 })
    socket.once("close", () => open.delete(name))
    if (open.size <= most) return
    const evicted = makeRoom() ?? open.get(name)!
    open.delete(formatSocket(evicted.socket))
    evicted.socket.destroy()
  })
  server.on("request", ({ socket }, response: ServerResponse) => {
    const connection = open.get(formatSocket(socket))
    if (connection === undefined) return
    connection.busy++
    response.once("close", () => connection.busy--)
  })
}

const MAX_CONNECTIONS = 2048

const KEEP_ALIVE_MS = 30_000

/** Time limit for a TLS handshake, and for the headers and the body of a request. */
export const REQUEST_MS = 10_000

/** Creates a server that does not listen yet. The server uses TLS if `tls` has a certificate and a key. */
export const createWebServer = (
  tls: { readonly cert: string; readonly key: string } | undefined,
  requestMs = REQUEST_MS
): Server => {
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 10,
    keepAliveTimeout: KEEP_ALIVE_MS
  }
  const server =
    tls === undefined ? createServer(limits) : createTlsServer({ ...limits, ...tls, handshakeTimeout: requestMs })
  limitConnections(server, MAX_CONNECTIONS)
  return server
}
