/**
 * Limits the number of TCP connections of the bridge, and the time that they can be idle. A new connection is always accepted, so that a
 * client cannot block other clients with many connections. It replaces the connection that has been without a stream for the longest time.
 */
import { createServer } from "node:http"
import type { Socket } from "node:net"
import type { BridgeLimits } from "./Limits.ts"

export const boundedServer = ({ connections, requestMs, stalledMs }: BridgeLimits) => {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // The interval at which both limits are checked. Node's default is half a minute.
    connectionsCheckingInterval: Math.min(requestMs, 1000)
  })
  server.timeout = stalledMs
  const idle = new Set<Socket>()
  const streams = new Map<Socket, number>()
  server.on("connection", (socket) => {
    idle.add(socket)
    socket.once("close", () => idle.delete(socket))
    if (idle.size + streams.size <= connections) return
    const [longest] = idle
    idle.delete(longest!)
    longest!.destroy()
  })
  /** Protects a connection while a stream uses it. Returns a function to call when the stream has ended. */
  const keep = (socket: Socket) => {
    idle.delete(socket)
    streams.set(socket, (streams.get(socket) ?? 0) + 1)
    return () => {
      const others = streams.get(socket)! - 1
      if (others > 0) {
        streams.set(socket, others)
        return
      }
      streams.delete(socket)
      if (!socket.destroyed) idle.add(socket)
    }
  }
  return { server, keep }
}
