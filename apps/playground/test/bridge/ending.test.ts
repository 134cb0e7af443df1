/** Checks that a stream ends after the time limit, when the client disconnects, and when the client does not read the response. */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { createSocket, type Socket } from "node:dgram"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ending } from "../../bridge/ending.ts"
import type { RunningPlayground } from "../../bridge/index.ts"
import { asPage, parseEvents, startBridge } from "./bridge.ts"
import { startHostileConsole } from "./hostileConsole.ts"

let game: RunningServer
/** A server that never replies. */
let silent: Socket
let silentAddress: string

beforeAll(async () => {
  game = await startServer({ transport: layer })
  silent = createSocket("udp4")
  await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve))
  silentAddress = `127.0.0.1:${silent.address().port}`
})
afterAll(async () => {
  await game.close()
  silent.close()
})

const ended = { _tag: "Ended", message: expect.stringMatching(/Stopped after (1\.5|2) s, the time limit/) }

/** Sends a word every 20 ms until the connection closes. */
const dripping = (say: (text: string) => boolean, socket: { once: (event: "close", then: () => void) => unknown }) => {
  const drops = setInterval(() => say("word "), 20)
  socket.once("close", () => clearInterval(drops))
}

describe("after the time limit for streams", () => {
  let bridge: RunningPlayground
  beforeAll(async () => {
    bridge = await startBridge({ rcon: true, limits: { streamMs: 1500, watchMs: 2000 } })
  })
  afterAll(() => bridge.close())

  it("a watch ends with an event that contains the reason", async () => {
    const body = { address: `127.0.0.1:${game.port}`, intervalMs: 1 }
    const events = parseEvents(await asPage(bridge, { path: "/api/watch", body }))
    expect(events.length).toBeGreaterThan(1)
    expect(events.at(-1)).toEqual(ended)
  })

  it("a query ends with an event that contains the reason", async () => {
    const body = { address: silentAddress, kind: "query", timeoutMs: 60_000, retries: 20 }
    expect(parseEvents(await asPage(bridge, { path: "/api/ask", body })).at(-1)).toEqual(ended)
  })

  it("a query of a list ends with an event that contains the reason", async () => {
    const body = { addresses: [silentAddress] }
    expect(parseEvents(await asPage(bridge, { path: "/api/list", body }))).toEqual([ended])
  })

  it("a command with an endless reply ends, and the bridge disconnects from the server", async () => {
    await using console = await startHostileConsole(dripping)
    const body = { address: console.address, password: "x", command: "status", engine: "source" }
    const events = parseEvents(await asPage(bridge, { path: "/api/rcon", body }))
    expect(events[0]).toMatchObject({ _tag: "Connected" })
    expect(events.at(-1)).toEqual(ended)
    await console.left
  })
})

/** Sends a request with the token, as the page does, but does not read the response. */
const unread = (bridge: RunningPlayground, path: string, body: unknown) => {
  const text = JSON.stringify(body)
  const socket = connect(bridge.port, bridge.host)
  socket.on("error", () => {})
  socket.pause()
  const head = `POST ${path} HTTP/1.1\r\nHost: ${bridge.host}:${bridge.port}\r\nAuthorization: Bearer ${bridge.token}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
  return socket
}

/** Waits until the bridge permits a new stream. */
const place = async (bridge: RunningPlayground): Promise<void> => {
  const body = { address: `127.0.0.1:${game.port}`, kind: "ping" }
  let reply = await asPage(bridge, { path: "/api/ask", body })
  while (reply.status === 429) reply = await asPage(bridge, { path: "/api/ask", body })
  expect(reply.status).toBe(200)
}

describe("a stream that a client does not read", () => {
  const plenty = { burst: 1e6, perSecond: 1e6, streams: 1 }

  it.each<[string, () => readonly [path: string, body: unknown]]>([
    ["a watch", () => ["/api/watch", { address: silentAddress, intervalMs: 1 }]],
    ["a query", () => ["/api/ask", { address: silentAddress, kind: "info", timeoutMs: 60_000, retries: 20 }]],
    ["a list", () => ["/api/list", { addresses: [silentAddress] }]]
  ])("ends if the client disconnects: %s", async (_, request) => {
    await using bridge = await startBridge({ limits: plenty })
    const asked = new Promise((resolve) => silent.once("message", resolve))
    const socket = unread(bridge, ...request())
    await asked
    socket.destroy()
    await place(bridge)
  })

  it("ends if the client disconnects: a command", async () => {
    await using bridge = await startBridge({ rcon: true, limits: plenty })
    const asked: Array<() => void> = []
    const begun = new Promise<void>((resolve) => asked.push(resolve))
    await using console = await startHostileConsole((say, socket) => {
      dripping(say, socket)
      asked[0]!()
    })
    const body = { address: console.address, password: "x", command: "status", engine: "source" }
    const socket = unread(bridge, "/api/rcon", body)
    await begun
    socket.destroy()
    await console.left
    await place(bridge)
  })

  it.each([
    ["after a time without progress", { stalledMs: 500 }],
    ["after its time limit", { streamMs: 500 }]
  ])("ends %s", async (_, limits) => {
    await using bridge = await startBridge({ rcon: true, limits: { ...plenty, ...limits } })
    // JSON needs six characters for each U+0001. Therefore the response is much larger than the system's buffers.
    await using console = await startHostileConsole((say, socket) => {
      const flood = (): void => {
        while (say("\u0001".repeat(4000)));
      }
      socket.on("drain", flood)
      flood()
    })
    const body = { address: console.address, password: "x", command: "status", engine: "source" }
    const socket = unread(bridge, "/api/rcon", body)
    await console.left
    await place(bridge)
    socket.destroy()
  })
})

/** Runs a stream with a time limit of `ms`, and returns all its events. */
const collectAll = <A, E>(stream: Stream.Stream<A, E>, ms: number) => {
  const socket = { destroy: () => {} }
  const request = { source: { socket } } as unknown as HttpServerRequest.HttpServerRequest
  return ending(stream, ms).pipe(
    Effect.flatMap(Stream.runCollect),
    Effect.provideService(HttpServerRequest.HttpServerRequest, request),
    Effect.scoped,
    Effect.runPromise
  )
}

it("a stream that ends at its time limit sends an event with the reason, and then no further events", async () => {
  const chatty = Stream.tick(1).pipe(
    Stream.flatMap(() => Stream.range(1, 5)),
    Stream.buffer({ capacity: 100 })
  )
  const all = await Promise.all(Array.from({ length: 50 }, () => collectAll(chatty, 20)))
  for (const events of all) expect(events.at(-1)).toMatchObject({ _tag: "Ended" })
})

it("if a stream fails, its last event contains the error", async () => {
  const failed = { _tag: "Ended", message: "The bridge failed: no sockets" }
  const failure = new Error("no sockets")
  expect(await collectAll(Stream.concat(Stream.make(1), Stream.fail(failure)), 60_000)).toEqual([1, failed])
  expect(await collectAll(Stream.concat(Stream.make(1), Stream.die(failure)), 60_000)).toEqual([1, failed])
  expect(await collectAll(Stream.make(1, 2), 60_000)).toEqual([1, 2])
})
