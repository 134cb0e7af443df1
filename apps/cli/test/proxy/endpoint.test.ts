import type { ProxyStatus } from "@sourcewire/proxy"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { once } from "node:events"
import * as net from "node:net"
import { afterEach, describe, expect, it, vi } from "vitest"
import { MAX_CONNECTIONS, serveEndpoint } from "../../src/proxy/endpoint.ts"

/** A time limit of one hour for connections. No test reaches this limit. */
const LONG_MS = 3_600_000

const closing: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** Starts the endpoint, and returns its port and its URL. */
const endpoint = async (connectionMs: number, statuses: ReadonlyArray<ProxyStatus> = []) => {
  const scope = Scope.makeUnsafe()
  closing.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const pages = { status: () => statuses, logLinesLost: () => 0 }
  const serving = serveEndpoint({ host: "127.0.0.1", port: 0 }, pages, connectionMs)
  const url = await Effect.runPromise(Scope.provide(serving, scope))
  return { url, port: Number(new URL(url).port) }
}

/** Opens a connection. Returns the socket, and a flag that is `true` while the connection is open. */
const connected = async (port: number, localAddress = "127.0.0.1") => {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress })
  closing.push(() => void socket.destroy())
  const client = { socket, isOpen: true }
  socket.on("error", () => {})
  socket.on("close", () => (client.isOpen = false))
  await once(socket, "connect")
  return client
}

const status = (upstream: string): ProxyStatus => ({
  upstream,
  listening: "127.0.0.1:27016",
  state: "fresh",
  ageMs: {},
  notServed: [],
  front: {
    requests: { info: 0, players: 0, rules: 0, ping: 0, getChallenge: 0, other: 0 },
    replies: 0,
    bytesIn: 0,
    bytesOut: 0,
    unanswered: 0,
    socketFaults: 0
  },
  back: { answered: { info: 0, players: 0, rules: 0 }, failed: { info: 0, players: 0, rules: 0 }, sent: 0 }
})

const readStatus = async (url: string): Promise<number> => (await fetch(url)).status

describe("the HTTP endpoint of a proxy", () => {
  it.each([
    { name: "idle connections", send: "" },
    { name: "connections with half a request", send: "GET /health HTTP/1.1\r\nHost: a\r\nX-Rest: " }
  ])("replies while other clients have many $name", async ({ send }) => {
    const { port, url } = await endpoint(LONG_MS)
    const strangers: Array<Awaited<ReturnType<typeof connected>>> = []
    for (let count = 0; count < 100; count++) {
      const stranger = await connected(port)
      stranger.socket.write(send)
      strangers.push(stranger)
      if (count % 25 === 24) expect(await readStatus(`${url}/health`)).toBe(200)
    }
    expect(await readStatus(`${url}/metrics`)).toBe(200)
    await vi.waitUntil(() => strangers.filter(({ isOpen }) => isOpen).length <= MAX_CONNECTIONS, { timeout: 20_000 })
    // The endpoint closes the oldest connections first, because the clients of newer connections may still send a request.
    expect(strangers.at(-1)!.isOpen).toBe(true)
    expect(strangers[0]!.isOpen).toBe(false)
  })

  it("keeps the connection of one address open while another address opens too many connections", async () => {
    const { port } = await endpoint(LONG_MS)
    const honest = await connected(port, "127.0.0.2")
    honest.socket.write("GET /live HTTP/1.1\r\n")
    for (let count = 0; count < 3 * MAX_CONNECTIONS; count++) await connected(port, "127.0.0.3")
    honest.socket.write("Host: a\r\n\r\n")
    const [reply] = (await once(honest.socket, "data")) as [Buffer]
    expect(reply.toString("latin1")).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    { name: "sends no request", act: () => {} },
    {
      name: "sends its request one byte at a time",
      act: (socket: net.Socket) => {
        const request = `GET /live HTTP/1.1\r\nX: ${"x".repeat(10_000)}`
        let at = 0
        const timer = setInterval(() => socket.write(request[at++ % request.length]!), 5)
        socket.on("close", () => clearInterval(timer))
      }
    },
    {
      name: "does not read the response",
      act: (socket: net.Socket) => {
        socket.pause()
        socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        // This client does not read. Therefore it can detect the end of the connection only by writing.
        const timer = setInterval(() => socket.write("\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      }
    }
  ])("closes the connection after a time limit if the client $name", async ({ act }) => {
    // The size of the metrics is about 20 MB, which is more than the system's buffers can store.
    const { port, url } = await endpoint(300, [status("x".repeat(400_000))])
    const client = await connected(port)
    act(client.socket)
    await vi.waitUntil(() => !client.isOpen, { timeout: 20_000 })
    expect(await readStatus(`${url}/live`)).toBe(200)
  })

  it("returns the health of the proxy as the HTTP status, even if the method is HEAD or the URL has a query string", async () => {
    const { url } = await endpoint(LONG_MS, [status("a")])
    expect(await readStatus(`${url}/health?verbose=1`)).toBe(200)
    const head = await fetch(`${url}/health`, { method: "HEAD" })
    expect([head.status, await head.text(), Number(head.headers.get("content-length")) > 0]).toEqual([200, "", true])
    const { port } = await endpoint(LONG_MS, [status("a"), { ...status("b"), state: "gone" }])
    const { socket } = await connected(port)
    socket.write("HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n")
    const chunks: Array<Buffer> = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    const reply = Buffer.concat(chunks).toString("latin1")
    expect(reply).toMatch(/^HTTP\/1\.1 503 /)
    expect(reply).toMatch(/\r\n\r\n$/)
  })

  it("closes each connection after one response", async () => {
    const { port } = await endpoint(LONG_MS)
    const client = await connected(port)
    const { socket } = client
    let text = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk))
    for (let count = 0; count < 3; count++) socket.write("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
    await vi.waitUntil(() => !client.isOpen, { timeout: 20_000 })
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
    expect(text).toMatch(/^connection: close\r$/im)
  })
})
