/**
 * The server under measurement, a process of its own: a raw echo loop on `node:dgram`, or our responder. Tells its parent the port, and
 * what it has cost so far whenever it is asked.
 */
import { startServer } from "@sourcewire/emulator"
import { RateLimiter } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"

/** What the server has cost and done since it began. */
export interface Usage {
  readonly cpuMs: number
  readonly rssBytes: number
  /** Bytes of the heap and of buffers outside it, after a collection. */
  readonly usedBytes: number
  readonly requests: number
  readonly replies: number
  readonly bytesIn: number
  readonly bytesOut: number
}

const send = (message: unknown): void => void process.send?.(message)

let counters = (): Omit<Usage, "cpuMs" | "rssBytes" | "usedBytes"> => ({
  requests: 0,
  replies: 0,
  bytesIn: 0,
  bytesOut: 0
})

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  globalThis.gc?.()
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  send({ cpuMs: (system + user) / 1000, rssBytes: rss, usedBytes: heapUsed + arrayBuffers, ...counters() })
})
process.on("disconnect", () => process.exit())

if (process.argv[2] === "echo") {
  let requests = 0
  let bytes = 0
  const socket = createSocket({ type: "udp4", lookup: (host, _, found) => found(null, host, 4) })
  socket.on("message", (datagram, { address, port }) => {
    requests++
    bytes += datagram.length
    socket.send(datagram, port, address)
  })
  counters = () => ({ requests, replies: requests, bytesIn: bytes, bytesOut: bytes })
  socket.bind(0, "127.0.0.1", () => send({ port: socket.address().port }))
} else {
  const server = await startServer({
    transport: layer,
    profile: "css",
    // As on a public address: nothing here may be cheaper than there.
    responder: { limit: new RateLimiter({ perSecond: 1e9 }) }
  })
  counters = server.counters
  send({ port: server.port })
}
