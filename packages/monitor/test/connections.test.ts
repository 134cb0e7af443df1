/** Tests, with real sockets, which idle connections the server closes. */
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { createWebServer, limitConnections, REQUEST_MS } from "../src/http/connections.ts"

it(
  "the server closes connections that send no complete request or TLS handshake within 10 s",
  { timeout: 60_000 },
  async () => {
    expect(REQUEST_MS).toBe(10_000)
    expect(createWebServer(undefined)).toMatchObject({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS })
    const handshake = "\x16\x03\x01\x02\x00"
    const tries = [
      [undefined, ""],
      [undefined, "GET / HTTP/1.1\r\nHost: "],
      // The certificate is empty, because no client of this test completes enough of the handshake to need a certificate.
      [{ cert: "", key: "" }, ""],
      [{ cert: "", key: "" }, handshake]
    ] as const
    const ended = tries.map(async ([tls, begun]) => {
      const server = createWebServer(tls, REQUEST_MS / 20)
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined)
      socket.resume().write(begun)
      const patience = new AbortController()
      const closed = once(socket, "close").then(() => true)
      const isEnded = await Promise.race([closed, sleep(40_000, false, { signal: patience.signal })])
      patience.abort()
      socket.destroy()
      server.close()
      return isEnded
    })
    expect(await Promise.all(ended)).toEqual([true, true, true, true])
  }
)

it("if there are too many connections, the server selects the client with the most connections, and closes an idle connection of this client", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/stream") response.write("begun")
    else response.end("here")
  })
  limitConnections(server, 20)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const sockets: Array<Socket> = []
  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => undefined)
    sockets.push(socket)
    await once(socket, "connect")
    return socket
  }
  const stream = await open("127.0.0.2")
  stream.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
  await once(stream, "data")
  const other = await open("127.0.0.3")
  for (let i = 0; i < 40; i++) await open("127.0.0.2")
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(await response.text()).toBe("here")
  // Neither the connection with a pending response nor the only connection of 127.0.0.3 was closed.
  expect([stream.closed, other.closed]).toEqual([false, false])
  for (const socket of sockets) socket.destroy()
  server.closeAllConnections()
  server.close()
})
