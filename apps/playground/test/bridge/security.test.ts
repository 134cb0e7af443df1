import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { type AddressInfo, createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningPlayground } from "../../bridge/index.ts"
import { checkTarget, isPublic, type TargetPolicy } from "../../bridge/targets.ts"
import { asPage, parseEvents, send, startBridge } from "./bridge.ts"

describe("the bridge on loopback", () => {
  let bridge: RunningPlayground
  beforeAll(async () => {
    bridge = await startBridge()
  })
  afterAll(() => bridge.close())

  it("does not grant permission if another origin sends a preflight request", async () => {
    const reply = await send(bridge, {
      method: "OPTIONS",
      path: "/api/ask",
      headers: { origin: "http://evil.example", "access-control-request-method": "POST" }
    })
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined()
    expect(reply.status).not.toBe(200)
  })

  it("rejects a request for the page if the host name is foreign, even if this name resolves to this computer", async () => {
    expect((await send(bridge, { path: "/", headers: { host: `evil.example:${bridge.port}` } })).status).toBe(403)
  })

  it("accepts requests from its own page if the host is 127.0.0.1 or localhost, in upper or lower case", async () => {
    for (const name of [`127.0.0.1:${bridge.port}`, `localhost:${bridge.port}`, `LOCALHOST:${bridge.port}`]) {
      const headers = { host: name, origin: `http://${name.toLowerCase()}`, "sec-fetch-site": "same-origin" }
      expect((await asPage(bridge, { path: "/api/status", headers })).status).toBe(200)
    }
  })

  it("does not start if the port is in use, and can listen on the IPv6 loopback address", async () => {
    await expect(startBridge({ port: bridge.port })).rejects.toMatchObject({ code: "EADDRINUSE", port: bridge.port })
    expect((await asPage(bridge, { path: "/api/status" })).status).toBe(200)
    await using six = await startBridge({ host: "::1" })
    expect(six.url).toContain(`http://[::1]:${six.port}/#query?token=`)
    const headers = { host: `[::1]:${six.port}` }
    expect((await asPage(six, { path: "/api/status", headers })).status).toBe(200)
  })

  it("rejects console commands by default", async () => {
    let connections = 0
    const console = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => console.listen(0, "127.0.0.1", resolve))
    const { port } = console.address() as AddressInfo
    const body = { address: `127.0.0.1:${port}`, password: "x", command: "status", engine: "source" }
    const reply = await asPage(bridge, { path: "/api/rcon", body })
    expect([reply.status, JSON.parse(reply.body)._tag]).toEqual([403, "NotOffered"])
    expect(connections).toBe(0)
    // If console commands are enabled, the bridge connects to the server.
    await using withConsole = await startBridge({ rcon: true })
    await asPage(withConsole, { path: "/api/rcon", body })
    expect(connections).toBe(1)
    console.close()
  })
})

describe("the list of allowed targets", () => {
  it("is required if the bridge listens on a public address", async () => {
    await expect(startBridge({ host: "0.0.0.0" })).rejects.toMatchObject({
      _tag: "InvalidOption"
    })
  })

  const policy: TargetPolicy = { allow: ["203.0.113.0/24", "198.51.100.7:27015", "10.0.0.0/8"], local: false }
  const check = (address: string, rules = policy) =>
    Effect.runPromise(
      checkTarget(address, rules).pipe(
        Effect.map(({ host, port }) => `${host}:${port}`),
        Effect.catch((error) => Effect.succeed(error._tag)),
        Effect.provide(layer)
      )
    )

  it.each([
    ["203.0.113.5:27015", "203.0.113.5:27015"],
    ["198.51.100.7:27015", "198.51.100.7:27015"],
    ["198.51.100.7:27016", "TargetRefused"],
    ["192.0.2.1:27015", "TargetRefused"],
    ["10.0.0.1:27015", "TargetRefused"],
    ["127.0.0.1:27015", "TargetRefused"],
    ["localhost:27015", "TargetRefused"],
    ["[::1]:27015", "TargetRefused"],
    ["[::ffff:127.0.0.1]:27015", "TargetRefused"],
    ["nonsense:x", "InvalidAddress"]
  ])("leads to this result for the target %s: %s", async (address, outcome) => {
    expect(await check(address)).toBe(outcome)
  })

  it("applies to a bridge on loopback, too", async () => {
    expect(await check("127.0.0.1:27015", { allow: ["127.0.0.1:27016"], local: true })).toBe("TargetRefused")
    expect(await check("127.0.0.1:27016", { allow: ["127.0.0.1:27016"], local: true })).toBe("127.0.0.1:27016")
    await using bridge = await startBridge({ allow: ["127.0.0.1:27016"] })
    const asked = await asPage(bridge, { path: "/api/ask", body: { address: "127.0.0.1:27015", kind: "info" } })
    expect([asked.status, JSON.parse(asked.body)._tag]).toEqual([403, "TargetRefused"])
    const list = await asPage(bridge, { path: "/api/list", body: { addresses: ["127.0.0.1:27015"] } })
    expect(parseEvents(list).flat()).toMatchObject([{ target: "127.0.0.1:27015", error: { _tag: "TargetRefused" } }])
  })
})

it("isPublic distinguishes public and local addresses", () => {
  const local = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.9.9.9",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.1.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:192.168.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::"
  ]
  expect(local.filter(isPublic)).toEqual([])
  expect(["8.8.8.8", "203.0.113.1", "2001:4860::1"].every(isPublic)).toBe(true)
})

describe("a client that reached a limit", () => {
  it("can open no further stream until one of its streams ends", async () => {
    await using server = await startServer({ transport: layer })
    await using bridge = await startBridge({ limits: { burst: 1000, perSecond: 1000, streams: 1 } })
    const address = `127.0.0.1:${server.port}`
    const leaving = new AbortController()
    const watching = await fetch(`http://127.0.0.1:${bridge.port}/api/watch`, {
      method: "POST",
      headers: { authorization: `Bearer ${bridge.token}`, "content-type": "application/json" },
      body: JSON.stringify({ address, intervalMs: 60_000 }),
      signal: leaving.signal
    })
    const reader = watching.body!.getReader()
    await reader.read()
    const ask = () => asPage(bridge, { path: "/api/ask", body: { address, kind: "ping" } })
    expect((await ask()).status).toBe(429)
    leaving.abort()
    await expect(reader.read()).rejects.toMatchObject({ name: "AbortError" })
    // The bridge may need a moment until it detects the end of the connection.
    let reply = await ask()
    while (reply.status === 429) reply = await ask()
    expect(reply.status).toBe(200)
  })

  it("receives status 429 for further requests", async () => {
    await using bridge = await startBridge({ limits: { burst: 2, perSecond: 0.001, streams: 1 } })
    const statuses = [1, 2, 3].map(() => asPage(bridge, { path: "/api/status" }))
    expect((await Promise.all(statuses)).map((reply) => reply.status).toSorted()).toEqual([200, 200, 429])
  })
})
