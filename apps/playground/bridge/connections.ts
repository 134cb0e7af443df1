/**
 * The TCP connections of the bridge, bounded in number and in the time that they may do nothing. A new connection always gets in, so
 * nobody keeps others out by opening many: those that have been without a stream the longest make room.
 */
import { createServer } from "node:http"
import type { Socket } from "node:net"
import type { BridgeLimits } from "./Limits.ts"

export const boundedServer = ({ connections, requestMs, stalledMs }: BridgeLimits) => {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // How often the two are looked at; half a minute otherwise.
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
  /** Keeps the connection while a stream runs on it; gives what to call at its end. */
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
