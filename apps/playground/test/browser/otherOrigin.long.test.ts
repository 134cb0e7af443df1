/**
 * Tests the requests that a page of another origin can send to the bridge from a real browser. None of these requests may reach a handler.
 */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse
} from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningPlayground } from "../../bridge/index.ts"
import { asPage, startBridge } from "../bridge/bridge.ts"
import { launch } from "@sourcewire/testing/browser"

let browser: Browser
let bridge: RunningPlayground
let game: RunningServer
let console: Server
let connections = 0
let elsewhere: HttpServer
/** The emulated server that runs in the bridge, as JSON. A page of another origin could try to stop this server. */
let running: string

/** For each request that reached the bridge: its method, its path, and the status of the response. */
const answers: Array<string> = []
const note = (message: unknown): void => {
  const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
  if (request.socket.localPort === bridge.port) answers.push(`${request.method} ${request.url} ${response.statusCode}`)
}

const findPort = (server: Server | HttpServer): number => (server.address() as AddressInfo).port
const listen = (server: Server | HttpServer): Promise<void> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))

beforeAll(async () => {
  subscribe("http.server.response.finish", note)
  browser = await launch()
  bridge = await startBridge({ rcon: true, limits: { burst: 1e6, perSecond: 1e6, streams: 1e6 } })
  game = await startServer({ transport: layer })
  console = createServer((socket) => {
    connections++
    socket.destroy()
  })
  elsewhere = createHttpServer((_, response) => {
    response.setHeader("content-type", "text/html")
    response.end("<!doctype html><title>elsewhere</title><body></body>")
  })
  await Promise.all([listen(console), listen(elsewhere)])
  const body = { profile: "css", faults: [], count: 1 }
  running = (await asPage(bridge, { path: "/api/servers", body })).body
}, 120_000)

afterAll(async () => {
  unsubscribe("http.server.response.finish", note)
  await browser.close()
  await bridge.close()
  await game.close()
  console.close()
  elsewhere.close()
})

/** Returns several spellings of each route's path, each with a valid body for this route. */
const targets = (): ReadonlyArray<{ readonly path: string; readonly body: Record<string, unknown> }> => {
  const address = `127.0.0.1:${game.port}`
  const bodies: Readonly<Record<string, Record<string, unknown>>> = {
    servers: { profile: "css", faults: [], count: 1 },
    ask: { address, kind: "ping" },
    watch: { address, intervalMs: 1000 },
    list: { addresses: [address] },
    rcon: { address: `127.0.0.1:${findPort(console)}`, password: "x", command: "status", engine: "source" }
  }
  return Object.entries(bodies).flatMap(([name, body]) =>
    [`/api/${name}`, `/API/${name}`, `//api//${name}`, `/%61pi/${name}`, `/api/${name}/`].map((path) => ({
      path,
      body
    }))
  )
}

/**
 * Sends requests with every API that pages can use, and waits for the responses. Returns the number of requests without the beacons, which
 * have no responses. This function runs in the page.
 */
const attack = async ([base, all]: [
  string,
  ReadonlyArray<{ readonly path: string; readonly body: Record<string, unknown> }>
]): Promise<number> => {
  const ends: Array<Promise<unknown>> = []
  const until = (element: EventTarget, ...names: ReadonlyArray<string>): void => {
    ends.push(
      new Promise((resolve) => names.forEach((name) => element.addEventListener(name, resolve, { once: true })))
    )
  }
  const add = (element: HTMLElement, attributes: Readonly<Record<string, string>>): void => {
    until(element, "load", "error")
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.body.append(element)
  }
  const stop = new AbortController()
  // If the bridge accepted a stream by mistake, the stream would never end. Therefore all requests are aborted after the bridge has
  // responded.
  const send = (url: string, init: RequestInit): void =>
    void ends.push(fetch(url, { ...init, signal: stop.signal }).catch(() => {}))
  let frames = 0
  const post = (action: string, enctype: string, name: string, value: string): void => {
    const target = `frame${frames++}`
    const frame = document.createElement("iframe")
    frame.name = target
    document.body.append(frame)
    const form = document.createElement("form")
    Object.assign(form, { action, enctype, target, method: "post" })
    const input = document.createElement("input")
    Object.assign(input, { name, value })
    form.append(input)
    document.body.append(form)
    until(frame, "load")
    form.submit()
  }
  for (const { body, path } of all) {
    const url = `${base}${path}`
    const json = JSON.stringify(body)
    const noCors = { method: "POST", mode: "no-cors", credentials: "include" } as const
    send(url, { ...noCors, body: new Blob([json]) })
    send(url, { ...noCors, body: new TextEncoder().encode(json) })
    send(url, { ...noCors, body: json })
    send(url, { ...noCors, body: json, keepalive: true, headers: { "content-type": "text/plain" } })
    send(url, { ...noCors, body: new URLSearchParams([[json, ""]]) })
    send(url, { ...noCors, body: new Blob([json], { type: "application/json" }) })
    send(url, { method: "POST", body: new Blob([json]) })
    send(url, { method: "POST", body: json, headers: { "content-type": "application/json" } })
    send(url, { method: "DELETE" })
    send(`${url}/1`, { method: "DELETE" })
    send(url, { mode: "no-cors" })
    send(url, { mode: "no-cors", method: "HEAD" })
    navigator.sendBeacon(url, new Blob([json]))
    navigator.sendBeacon(url, json)
    // A form sends NAME=VALUE. The name and the value are chosen so that the whole body is valid JSON.
    post(url, "text/plain", `${json.slice(0, -1)},"x":"`, '"}')
    post(url, "application/x-www-form-urlencoded", json, "")
    post(url, "multipart/form-data", json, "x")
    add(document.createElement("img"), { src: `${url}?img` })
    add(document.createElement("script"), { src: `${url}?script` })
    add(document.createElement("link"), { rel: "stylesheet", href: `${url}?link` })
    add(document.createElement("iframe"), { src: `${url}?iframe` })
    const events = new EventSource(url)
    until(events, "error", "open")
    stop.signal.addEventListener("abort", () => events.close())
    const socket = new WebSocket(url.replace("http", "ws"))
    until(socket, "close", "open")
  }
  await Promise.all(ends)
  stop.abort()
  return ends.length
}

describe("a page of another origin", () => {
  it.each<[string, () => string, () => string]>([
    [
      "the page and the bridge have different ports",
      () => `http://127.0.0.1:${findPort(elsewhere)}`,
      () => `http://127.0.0.1:${bridge.port}`
    ],
    [
      "the page and the bridge have different ports of localhost",
      () => `http://localhost:${findPort(elsewhere)}`,
      () => `http://localhost:${bridge.port}`
    ],
    [
      "the page and the bridge have different host names",
      () => `http://localhost:${findPort(elsewhere)}`,
      () => `http://127.0.0.1:${bridge.port}`
    ],
    [
      "the page has a foreign host name that resolves to this machine",
      () => `http://evil.localhost:${findPort(elsewhere)}`,
      () => `http://127.0.0.1:${bridge.port}`
    ],
    [
      "the requests contain a foreign host name of the bridge",
      () => `http://127.0.0.1:${findPort(elsewhere)}`,
      () => `http://evil.localhost:${bridge.port}`
    ]
  ])(
    "reaches no handler of the bridge if %s",
    async (_, from, to) => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(`${from()}/`)
      answers.length = 0
      const sent = await page.evaluate(attack, [to(), [...targets()]] satisfies Parameters<typeof attack>[0])
      await context.close()
      // The browser does not send every request of the page: for example, it sends no request after a rejected CORS preflight. The bridge
      // has rejected all requests that it received.
      expect(answers.length).toBeGreaterThan(sent / 2)
      expect(answers.filter((answer) => !/ 4\d\d$/.test(answer))).toEqual([])
      const { body } = await asPage(bridge, { path: "/api/servers" })
      expect([game.counters().requests, connections, body]).toEqual([0, 0, running])
    },
    120_000
  )
})

it("the browser cannot load the playground through a foreign host name that resolves to this machine", async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const response = await page.goto(`http://evil.localhost:${bridge.port}/#query?token=${bridge.token}`)
  expect(response?.status()).toBe(403)
  await context.close()
})
