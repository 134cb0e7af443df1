/** Checks that idle and slow connections are closed, and that open connections do not prevent new connections. */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { boundedServer } from "../../bridge/connections.ts"
import type { RunningPlayground } from "../../bridge/index.ts"
import { DEFAULT_LIMITS } from "../../bridge/Limits.ts"
import { asPage, send, startBridge, parseStatuses } from "./bridge.ts"

/** Returns the text that is received until the bridge closes the connection. */
const untilClosed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ""
    socket.setEncoding("latin1")
    socket.on("data", (data: string) => (text += data))
    socket.on("error", () => {})
    socket.on("close", () => resolve(text))
  })

/** Sends `head`, and then one byte at a time until the connection is closed. Returns the received text. */
const drip = ({ host, port }: RunningPlayground, head: string): Promise<string> => {
  const socket = connect(port, host)
  socket.write(head)
  const drops = setInterval(() => socket.write("x"), 20)
  socket.on("close", () => clearInterval(drops))
  return untilClosed(socket)
}

describe("a slow connection", () => {
  let bridge: RunningPlayground
  beforeAll(async () => {
    bridge = await startBridge({ limits: { requestMs: 1000 } })
  })
  afterAll(() => bridge.close())

  it("is closed if the client sends no request", async () => {
    expect(parseStatuses(await untilClosed(connect(bridge.port, bridge.host)))).toEqual([408])
  })

  it("is closed if a header arrives slowly", async () => {
    expect(parseStatuses(await drip(bridge, "GET / HTTP/1.1\r\nX: "))).toEqual([408])
  })

  it("is closed if the body of an authorised request arrives slowly", async () => {
    const host = `${bridge.host}:${bridge.port}`
    const head = `POST /api/ask HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${bridge.token}\r\n`
    const text = await drip(bridge, `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`)
    expect(parseStatuses(text)).toEqual([408])
  })

  it("receives status 403 immediately if the body of an unauthorised request arrives slowly", async () => {
    const head = `POST /api/ask HTTP/1.1\r\nHost: ${bridge.host}:${bridge.port}\r\nContent-Length: 100000\r\n\r\n{`
    expect(parseStatuses(await drip(bridge, head))[0]).toBe(403)
  })

  it("is closed if the client does not read the response", async () => {
    const { server } = boundedServer({ ...DEFAULT_LIMITS, stalledMs: 300 })
    const closed = new Promise<void>((resolve) => server.on("connection", (socket) => socket.on("close", resolve)))
    server.on("request", (_, response) => {
      const write = (): void => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", write)
      }
      write()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    const reader = connect(port, "127.0.0.1")
    reader.pause()
    reader.on("error", () => {})
    reader.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await closed
    reader.destroy()
    server.close()
  })
})

describe("many idle connections", () => {
  const MOST = 16
  const IDLE = 100
  let bridge: RunningPlayground
  let game: RunningServer
  beforeAll(async () => {
    bridge = await startBridge({ limits: { connections: MOST, streams: 4, allStreams: 4 } })
    game = await startServer({ transport: layer })
  })
  afterAll(async () => {
    await bridge.close()
    await game.close()
  })

  /**
   * Opens connections that send nothing. Returns a promise that resolves when only the permitted number of connections
   * is open, and a function that closes the remaining connections.
   */
  const idle = async (): Promise<readonly [closed: Promise<void>, end: () => void]> => {
    const sockets = Array.from({ length: IDLE }, () => connect(bridge.port, bridge.host))
    let left = IDLE
    const closed = new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on("error", () => {})
        socket.on("close", () => {
          if (--left <= MOST) resolve()
        })
      }
    })
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve)))
    )
    return [closed, () => sockets.forEach((socket) => socket.destroy())]
  }

  it("do not block other clients, and the connections above the limit are closed", async () => {
    const [closed, end] = await idle()
    expect((await asPage(bridge, { path: "/api/status" })).status).toBe(200)
    expect((await send(bridge, { path: "/" })).status).toBe(200)
    await closed
    end()
  })

  it("do not cause the bridge to close a connection with a running stream", async () => {
    const leaving = new AbortController()
    const response = await fetch(`http://127.0.0.1:${bridge.port}/api/watch`, {
      method: "POST",
      headers: { authorization: `Bearer ${bridge.token}`, "content-type": "application/json" },
      body: JSON.stringify({ address: `127.0.0.1:${game.port}`, intervalMs: 500 }),
      signal: leaving.signal
    })
    const reader = response.body!.getReader()
    await reader.read()
    const [closed, end] = await idle()
    await closed
    const { done, value } = await reader.read()
    expect([done, new TextDecoder().decode(value)]).toEqual([false, expect.stringContaining("InfoReply")])
    leaving.abort()
    end()
  })
})
