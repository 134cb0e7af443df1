/**
 * The server under measurement, a process of its own: a raw echo loop on `node:dgram`, or our responder. Tells its parent the port, and
 * what it has cost so far whenever it is asked.
 */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { RateLimiter } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"

type Counts = Pick<ReturnType<RunningServer["counters"]>, "replies" | "bytesIn" | "bytesOut">

/** What the server has cost and done since it began. */
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
    // As on a public address: nothing here may be cheaper than there.
    responder: { limit: new RateLimiter({ perSecond: 1e9 }) }
  })
  counts = server.counters
  send(server.port)
}
