/** Checks that the bridge rejects requests without the token and requests from other origins, however the path is spelled. */
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { METHODS } from "node:http"
import { type AddressInfo, connect, createServer, type Server } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../bridge/Api.ts"
import type { RunningPlayground } from "../../bridge/index.ts"
import { asPage, sendRaw, startBridge, parseStatuses } from "./bridge.ts"
import { listSpellings } from "./spellings.ts"

// The bridge, the game server and the console show whether a request had an effect: the bridge lists its emulated servers, the game server
// counts requests, and the console counts connections.
let bridge: RunningPlayground
let game: RunningServer
let console: Server
let connections = 0
/** The emulated server that runs in the bridge, as JSON. An unauthorised request could stop this server. */
let running: string
/** Number of sent requests that must have no effect. */
let sent = 0

beforeAll(async () => {
  bridge = await startBridge({ rcon: true, limits: { burst: 1e6, perSecond: 1e6, streams: 1e6 } })
  game = await startServer({ transport: layer })
  console = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => console.listen(0, "127.0.0.1", resolve))
  const body = { profile: "css", faults: [], count: 1 }
  running = (await asPage(bridge, { path: "/api/servers", body })).body
  expect(JSON.parse(running)).toHaveLength(1)
})

afterAll(async () => {
  await bridge.close()
  await game.close()
  console.close()
})

const consoleAddress = (): string => `127.0.0.1:${(console.address() as AddressInfo).port}`

/** A valid body for each route, so that only the guard can reject a request. */
const bodies = (): Readonly<Record<string, unknown>> => ({
  "/api/ask": { address: `127.0.0.1:${game.port}`, kind: "ping" },
  "/api/watch": { address: `127.0.0.1:${game.port}`, intervalMs: 1000 },
  "/api/list": { addresses: [`127.0.0.1:${game.port}`] },
  "/api/rcon": { address: consoleAddress(), password: "x", command: "status", engine: "source" },
  "/api/servers": { profile: "css", faults: [], count: 1 }
})

/** All routes: the routes of the API, and the route of the API's description. */
const ROUTES: ReadonlyArray<readonly [method: string, path: string]> = [
  ...Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).map((endpoint) => [endpoint.method, endpoint.path.replace(":id", "1")] as const)
  ),
  ["GET", "/api/openapi.json"]
]

interface Raw {
  readonly method: string
  readonly target: string
  readonly version?: string
  /** Header lines. If no line is a `Host` header, the test adds this header. The line `Host: none` prevents this. */
  readonly headers?: ReadonlyArray<string>
  readonly body?: string
}

const JSON_TYPE = "Content-Type: application/json"
const own = (): string => `Authorization: Bearer ${bridge.token}`
const here = (): string => `127.0.0.1:${bridge.port}`

const listDatagrams = ({ body = "", headers = [], method, target, version = "1.1" }: Raw): string => {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${here()}`]
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [...host, ...headers.filter((line) => line !== "Host: none"), ...length, "Connection: close"]
  return `${method} ${target} HTTP/${version}\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

const bodyFor = (method: string, path: string): string => (method === "POST" ? JSON.stringify(bodies()[path]) : "")

/**
 * Sends bytes, and returns the statuses of accepted requests. If the bridge closes the connection without a response, it has rejected the
 * request.
 */
const accepted = async (bytes: string, responses = 1): Promise<ReadonlyArray<number>> => {
  sent++
  const text = await sendRaw(bridge, bytes, responses)
  // A response must not permit pages of another origin to read it.
  expect(text).not.toMatch(/access-control-allow/i)
  return parseStatuses(text).filter((status) => status < 400)
}

/** Sends requests. For each request that the bridge accepted, returns a text that contains its description and the status. */
const accept = async (requests: ReadonlyArray<readonly [what: string, raw: Raw]>): Promise<ReadonlyArray<string>> => {
  const wrong: Array<string> = []
  for (const [what, raw] of requests) {
    const statuses = await accepted(listDatagrams(raw))
    if (statuses.length > 0) wrong.push(`${what}: ${raw.method} ${raw.target.slice(0, 80)} gives ${statuses.join()}`)
  }
  return wrong
}

/** Checks that no server was queried, started or stopped. */
const expectNoEffect = async (): Promise<void> => {
  const { body } = await asPage(bridge, { path: "/api/servers" })
  expect([game.counters().requests, connections, body]).toEqual([0, 0, running])
}

describe("without a valid token, the bridge", () => {
  it.each(ROUTES)("rejects %s %s in every spelling of the path", async (method, path) => {
    const requests = listSpellings(path, here())
      // In this spelling, the path is in the query string. Therefore the request is for the page, which requires no token.
      .filter(([what]) => !(what === "a query before" && method === "GET"))
      .map(([what, target]) => {
        const raw = { method, target, headers: [JSON_TYPE], body: bodyFor(method, path) }
        return [what, raw] as const
      })
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  })

  it.each(ROUTES)("rejects %s %s from a page of another origin", async (method, path) => {
    const requests = listSpellings(path, here())
      .slice(0, 16)
      .flatMap(([what, target]) =>
        ["text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""].map(
          (type) => {
            const headers = [
              "Origin: http://evil.example",
              "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Mode: no-cors",
              ...(type === "" ? [] : [`Content-Type: ${type}`])
            ]
            return [`${what}, ${type}`, { method, target, headers, body: bodyFor(method, path) }] as const
          }
        )
      )
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  })

  it("rejects requests with every HTTP method, even if a header overrides the method", async () => {
    const others = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    const requests = ["/api/servers", "//api/ask", "/%61pi/servers/1"].flatMap((target) =>
      [...METHODS, "BREW", "post", "POST/x"].flatMap((method) => {
        const overriding = others.map(
          (name) => [`${name}: DELETE`, { method, target, headers: [`${name}: DELETE`] }] as const
        )
        return [["alone", { method, target }] as const, ...overriding]
      })
    )
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  }, 60_000)

  it.each<[string, () => string]>([
    ["no token", () => "X-Nothing: 1"],
    ["an empty token", () => "Authorization: Bearer "],
    ["a wrong token", () => `Authorization: Bearer ${"A".repeat(bridge.token.length)}`],
    ["the beginning of the token", () => `Authorization: Bearer ${bridge.token.slice(0, -1)}`],
    ["the token and another character", () => `Authorization: Bearer ${bridge.token}A`],
    ["the token in capital letters", () => `Authorization: Bearer ${bridge.token.toUpperCase()}`],
    ["the token after two spaces", () => `Authorization: Bearer  ${bridge.token}`],
    ["the token as a password", () => `Authorization: Basic ${Buffer.from(`:${bridge.token}`).toString("base64")}`],
    ["the token without Bearer", () => `Authorization: ${bridge.token}`],
    ["the token in a cookie", () => `Cookie: token=${bridge.token}; authorization=Bearer ${bridge.token}`],
    ["the token in another header", () => `X-Authorization: Bearer ${bridge.token}`],
    ["the token in the second of two Authorization headers", () => `Authorization: Bearer x\r\n${own()}`]
  ])("rejects requests with %s on every route", async (_, header) => {
    const requests = ROUTES.map(([method, path]) => {
      const raw = { method, target: path, headers: [JSON_TYPE, header()], body: bodyFor(method, path) }
      return [path, raw] as const
    })
    expect(await accept(requests)).toEqual([])
    const [, inQuery] = ["", `/api/servers?token=${bridge.token}&authorization=Bearer%20${bridge.token}`]
    expect(await accept([["in the query", { method: "DELETE", target: inQuery }]])).toEqual([])
    await expectNoEffect()
  })
})

describe("with the token, the bridge", () => {
  const types = [
    "",
    "text/plain",
    "text/plain;charset=UTF-8",
    "text/plain; application/json",
    "text/plain, application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json-patch+json",
    "application/problem+json",
    "text/json",
    "json",
    "/",
    "*/*"
  ]
  it.each(types)("rejects a POST request with the content type %j", async (type) => {
    const requests = ROUTES.filter(([method]) => method === "POST").flatMap(([method, path]) =>
      [path, path.toUpperCase(), `/${path}`].map((target) => {
        const headers = [own(), ...(type === "" ? [] : [`Content-Type: ${type}`])]
        return [type, { method, target, headers, body: bodyFor(method, path) }] as const
      })
    )
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  })

  it.each<[string, () => ReadonlyArray<string>]>([
    ["an unrelated origin", () => ["Origin: http://evil.example"]],
    [
      "an origin that differs from the bridge's origin only in the port",
      () => [`Origin: http://127.0.0.1:${bridge.port + 1}`]
    ],
    [
      "an origin that differs from the bridge's origin only in the host name",
      () => [`Origin: http://localhost:${bridge.port}`]
    ],
    [
      "an origin that differs from the bridge's origin only in the scheme",
      () => [`Origin: https://127.0.0.1:${bridge.port}`]
    ],
    ["an origin that begins with the bridge's origin", () => [`Origin: http://127.0.0.1:${bridge.port}.evil.example`]],
    ["an opaque origin", () => ["Origin: null"]],
    ["an empty origin", () => ["Origin: "]],
    ["the Sec-Fetch-Site header of another site's page", () => ["Sec-Fetch-Site: cross-site"]],
    ["the Sec-Fetch-Site header of another host of the same site", () => ["Sec-Fetch-Site: same-site"]],
    ["a Sec-Fetch-Site header with two values", () => ["Sec-Fetch-Site: same-origin, cross-site"]],
    ["a foreign host name that resolves to the bridge", () => [`Host: evil.example:${bridge.port}`]],
    [
      "a foreign host name and an origin with the same name",
      () => [`Host: evil.localhost:${bridge.port}`, `Origin: http://evil.localhost:${bridge.port}`]
    ],
    ["a Host header without a port", () => ["Host: 127.0.0.1"]],
    ["a Host header with the wrong port", () => [`Host: 127.0.0.1:${bridge.port + 1}`]],
    ["an empty Host header", () => ["Host: "]],
    ["no Host header", () => ["Host: none"]],
    ["two Host headers", () => [`Host: evil.example`, `Host: ${here()}`]]
  ])("rejects requests with %s on every route", async (_, headers) => {
    const requests = ROUTES.flatMap(([method, path]) =>
      [path, path.toUpperCase(), `/${path}`, `/%61${path.slice(2)}`].map((target) => {
        const raw = { method, target, headers: [own(), JSON_TYPE, ...headers()], body: bodyFor(method, path) }
        return [target, raw] as const
      })
    )
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  })

  it("executes no request with a method that the route does not support", async () => {
    const known = new Set(["GET", "HEAD", "POST", "DELETE"])
    const requests = METHODS.filter((method) => !known.has(method)).flatMap((method) =>
      ["/api/servers", "/api/ask"].map((target) => [method, { method, target, headers: [own(), JSON_TYPE] }] as const)
    )
    expect(await accept(requests)).toEqual([])
    await expectNoEffect()
  })

  it("responds with status 404 to requests for unknown paths", async () => {
    for (const sent of [
      { path: "/api" },
      { path: "/api/nothing" },
      { path: "/nothing", body: {} },
      { method: "PUT", path: "/" }
    ]) {
      const reply = await asPage(bridge, sent)
      expect([sent.path, reply.status, JSON.parse(reply.body)._tag]).toEqual([sent.path, 404, "NotFound"])
      expect(reply.headers["content-security-policy"]).toContain("default-src 'none'")
    }
  })
})

describe("without the token or the Host header, the bridge", () => {
  const start = (): Raw => ({
    method: "POST",
    target: "/api/servers",
    headers: [JSON_TYPE],
    body: JSON.stringify(bodies()["/api/servers"])
  })
  const pipelined = (...raws: ReadonlyArray<Raw>): string =>
    raws
      .map((raw, i) =>
        i < raws.length - 1 ? listDatagrams(raw).replace("Connection: close", "X: 1") : listDatagrams(raw)
      )
      .join("")

  it("rejects a request even if an earlier request on the same connection was accepted", async () => {
    const status: Raw = { method: "GET", target: "/api/status", headers: [own()] }
    expect(await accepted(pipelined(status, start(), { ...start(), target: "//API/servers" }), 3)).toEqual([200])
    await expectNoEffect()
  })

  it.each<[string, () => string, number]>([
    ["HTTP/1.0", () => listDatagrams({ ...start(), version: "1.0" }), 1],
    [
      "HTTP/1.0 with the token, but without the Host header",
      () => listDatagrams({ ...start(), version: "1.0", headers: [JSON_TYPE, own(), "Host: none"] }),
      1
    ],
    ["HTTP/0.9", () => "GET /api/status\r\n\r\n", 1],
    ["HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 1],
    ["HTTP/9.9", () => listDatagrams({ ...start(), version: "9.9" }), 1],
    ["two Content-Length headers", () => listDatagrams({ ...start(), headers: [JSON_TYPE, "Content-Length: 0"] }), 1],
    [
      "a Content-Length header and a chunked body",
      () => listDatagrams({ ...start(), headers: [JSON_TYPE, "Transfer-Encoding: chunked"] }),
      1
    ],
    [
      "a body that contains a second request",
      () => listDatagrams({ method: "GET", target: "/nothing", body: listDatagrams(start()) }),
      1
    ],
    [
      "a second request on the same connection",
      () => pipelined({ method: "GET", target: "/nothing", headers: ["Content-Length: 0"] }, start()),
      2
    ],
    ["a folded header", () => listDatagrams({ ...start(), headers: [JSON_TYPE, `X: 1\r\n ${own()}`] }), 1],
    [
      "a space after the name of a header",
      () => listDatagrams({ ...start(), headers: [JSON_TYPE, `Authorization : Bearer ${bridge.token}`] }),
      1
    ],
    ["bare line feeds", () => listDatagrams(start()).replaceAll("\r\n", "\n"), 1],
    [
      "an upgrade to WebSocket",
      () =>
        listDatagrams({
          method: "GET",
          target: "/api/servers",
          headers: ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
        }).replace("close", "Upgrade"),
      1
    ],
    [
      "an upgrade to an unknown protocol",
      () =>
        listDatagrams({ ...start(), target: "//api/servers", headers: [JSON_TYPE, "Upgrade: x"] }).replace(
          "close",
          "Upgrade"
        ),
      1
    ],
    ["an Expect header", () => listDatagrams({ ...start(), headers: [JSON_TYPE, "Expect: 200-ok"] }), 1]
  ])("executes no request with %s", async (_, bytes, responses) => {
    expect(await accepted(bytes(), responses)).toEqual([])
    await expectNoEffect()
  })
})

describe("a request for an upgrade", () => {
  it("is handled like any other request, and the connection continues to use HTTP", async () => {
    const upgrade = listDatagrams({ method: "GET", target: "/api/status", headers: ["Upgrade: websocket"] })
    const socket = connect(bridge.port, bridge.host)
    socket.write(upgrade.replace("Connection: close", "Connection: Upgrade"))
    let text = ""
    for await (const data of socket) {
      if (text === "") socket.write(upgrade)
      text += String(data)
    }
    expect(parseStatuses(text)).toEqual([403, 403])
  })
})

describe("requests of the page", () => {
  it("are still executed after the bridge has rejected hundreds of requests in the tests above", async () => {
    expect(sent).toBeGreaterThan(200)
    for (const [method, path] of ROUTES.filter(([method]) => method !== "DELETE")) {
      const raw = {
        method,
        target: path,
        headers: [own(), JSON_TYPE, `Origin: http://${here()}`],
        body: bodyFor(method, path)
      }
      expect([method, path, parseStatuses(await sendRaw(bridge, listDatagrams(raw)))]).toEqual([method, path, [200]])
    }
    // The bridge sends the head of a response before it queries a server. Therefore the test waits for complete responses.
    await asPage(bridge, { path: "/api/ask", body: bodies()["/api/ask"] })
    await asPage(bridge, { path: "/api/rcon", body: bodies()["/api/rcon"] })
    expect(game.counters().requests).toBeGreaterThan(0)
    expect(connections).toBeGreaterThan(0)
    expect(JSON.parse((await asPage(bridge, { path: "/api/servers" })).body)).toHaveLength(2)
    expect((await asPage(bridge, { method: "DELETE", path: "/api/servers" })).body).toBe("[]")
  })

  it("with a percent-encoded path are accepted only if they contain the token", async () => {
    const encoded = { method: "GET", target: "/%61pi/status" }
    expect(await accepted(listDatagrams(encoded))).toEqual([])
    expect(await accepted(listDatagrams({ ...encoded, headers: [own()] }))).toEqual([200])
  })
})
