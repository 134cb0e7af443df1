/**
 * A server that floods its clients. When a client sends a query, the server sends replies to this client for a given time, as fast as
 * possible. The client did not request this kind of reply. The server is a separate process, so that the client does not slow the server
 * down.
 *
 *     flood <ms>
 *
 * The server prints its port when it is ready. It exits when its standard input ends.
 */
import { createSocket } from "node:dgram"

const forMs = Number(process.argv[2])
const reply = Buffer.from("ffffffff4400", "hex")
const socket = createSocket("udp4")
const askers = new Set<string>()

socket.on("message", (_, { address, port }) => {
  const asker = `${address} ${port}`
  if (askers.has(asker)) return
  askers.add(asker)
  const endsAt = performance.now() + forMs
  const flood = (): void => {
    for (let i = 0; i < 64; i++) socket.send(reply, port, address)
    if (performance.now() < endsAt) setImmediate(flood)
    else askers.delete(asker)
  }
  flood()
})
socket.bind(0, "127.0.0.1", () => console.log(socket.address().port))
process.stdin.resume().once("end", () => process.exit())
