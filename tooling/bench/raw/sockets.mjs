// Opens the UDP sockets of each runtime directly, without our transports. `open(onMessage)` opens a socket and returns the function
// `send(bytes, port, address)`.
import { createSocket } from "node:dgram"

/** @type {any} */
const { Bun, Deno } = globalThis

const ofNode = (onMessage) =>
  new Promise((resolve) => {
    const lookup = (host, _, found) => found(null, host, 4)
    const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20, lookup })
    socket.on("message", (bytes, sender) => onMessage(bytes, sender.address, sender.port))
    socket.bind(0, "127.0.0.1", () => resolve((bytes, port, address) => socket.send(bytes, port, address)))
  })

const MAX_PER_CALL = 256

/**
 * Opens a socket of Bun. If a scan sends several datagrams in one turn of the event loop, `send` only collects them. They are then sent
 * together: each system call sends up to `MAX_PER_CALL` datagrams.
 */
const ofBun = async (onMessage) => {
  let waiting = []
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: { data: (_, bytes, port, address) => onMessage(bytes, address, port) }
  })
  const flush = () => {
    if (waiting.length === 0) return
    const list = waiting
    waiting = []
    const sent = socket.sendMany(list)
    if (3 * sent === list.length) return
    waiting = list.slice(3 * sent)
    setTimeout(flush, 0)
  }
  return (bytes, port, address) => {
    if (waiting.length === 0) queueMicrotask(flush)
    waiting.push(bytes, port, address)
    if (waiting.length >= 3 * MAX_PER_CALL) flush()
  }
}

const ofDeno = (onMessage) => {
  const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 })
  const buffer = new Uint8Array(65_536)
  const receive = async () => {
    for (;;) {
      const [bytes, { hostname, port }] = await socket.receive(buffer)
      onMessage(bytes, hostname, port)
    }
  }
  void receive()
  return (bytes, port, hostname) => void socket.send(bytes, { transport: "udp", hostname, port })
}

export const open = Bun !== undefined ? ofBun : Deno !== undefined ? ofDeno : ofNode
