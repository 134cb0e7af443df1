/** A UDP socket on loopback that replies as a test specifies. */
import { fromHex, toHex } from "@sourcewire/protocol"
import * as dgram from "node:dgram"
import { once } from "node:events"

/** A UDP server for a test. Close it with `await using`. */
export interface UdpServer extends AsyncDisposable {
  /** `host:port`, with brackets around an IPv6 address. */
  readonly address: string
  readonly port: number
  /** Source ports of the requests, in the order in which the requests arrived. */
  readonly senders: ReadonlyArray<number>
}

/** Starts a server. `answer` receives each request in hexadecimal, and returns the datagrams of the reply in hexadecimal. */
export const udpServer = async (
  answer: (request: string) => ReadonlyArray<string>,
  host = "127.0.0.1"
): Promise<UdpServer> => {
  const isIpv6 = host.includes(":")
  const socket = dgram.createSocket(isIpv6 ? "udp6" : "udp4")
  const senders: Array<number> = []
  socket.on("message", (request, { address, port }) => {
    senders.push(port)
    for (const hex of answer(toHex(request))) socket.send(fromHex(hex)!, port, address)
  })
  socket.bind(0, host)
  await once(socket, "listening")
  const { port } = socket.address()
  return {
    address: isIpv6 ? `[${host}]:${port}` : `${host}:${port}`,
    port,
    senders,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, "close")
    }
  }
}

/** Returns a port on loopback on which nothing listens. */
export const closedPort = async (host = "127.0.0.1"): Promise<number> => {
  await using server = await udpServer(() => [], host)
  return server.port
}
