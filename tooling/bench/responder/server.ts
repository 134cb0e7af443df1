/**
 * The server under measurement, a process of its own: a raw echo loop on `node:dgram`, or our responder. It sends its port to its parent,
 * and its usage whenever the parent requests it.
 */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { RateLimiter } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"

type Counts = Pick<ReturnType<RunningServer["counters"]>, "replies" | "bytesIn" | "bytesOut">

/** Processor time, memory and counts of the server since its start. */
export interface Usage extends Counts {
  readonly cpuMs: number
  readonly rssBytes: number
  /** Bytes of the heap and of buffers outside it, after a collection. */
  readonly usedBytes: number
}

const send = (message: Usage | number): void => void process.send?.(message)

let counts: () => Counts

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  globalThis.gc?.()
  const { arrayBuffers, heapUsed, rss } = process.memoryUsage()
  send({ cpuMs: (system + user) / 1000, rssBytes: rss, usedBytes: heapUsed + arrayBuffers, ...counts() })
})
process.on("disconnect", () => process.exit())

if (process.argv[2] === "echo") {
  let replies = 0
  let bytes = 0
  const socket = createSocket({ type: "udp4", lookup: (host, _, found) => found(null, host, 4) })
  socket.on("message", (datagram, { address, port }) => {
    replies++
    bytes += datagram.length
    socket.send(datagram, port, address)
  })
  counts = () => ({ replies, bytesIn: bytes, bytesOut: bytes })
  socket.bind(0, "127.0.0.1", () => send(socket.address().port))
} else {
  const server = await startServer({
    transport: layer,
    profile: "css",
    // The limit of a public address, so that the work per query is the same.
    responder: { limit: new RateLimiter({ perSecond: 1e9 }) }
  })
  counts = server.counters
  send(server.port)
}
