/**
 * A UDP server on loopback. The test defines the replies.
 *
 * @module
 */
import { fromHex } from "@sourcewire/protocol"
import { createSocket } from "node:dgram"
import { once } from "node:events"

export interface UdpServer extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  readonly address: string
  /** The received requests, in hex. */
  readonly requests: ReadonlyArray<string>
}

/** Starts a server that replies to each request with the datagrams that `replies` returns. Requests and datagrams are in hex. */
export const udpServer = async (replies: (request: string) => ReadonlyArray<string>): Promise<UdpServer> => {
  const socket = createSocket("udp4")
  const requests: Array<string> = []
  socket.on("message", (request, { address, port }) => {
    requests.push(request.toString("hex"))
    for (const reply of replies(request.toString("hex"))) socket.send(fromHex(reply)!, port, address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requests,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve()))
  }
}

/** Returns a text with a terminating NUL byte, in hex. */
export const text = (value: string): string => Buffer.from(`${value}\0`).toString("hex")
