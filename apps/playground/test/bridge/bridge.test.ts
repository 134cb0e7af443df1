import { decode, fromHex } from "@sourcewire/protocol"
import { profiles, startServer } from "@sourcewire/emulator"
import { startRconServer } from "@sourcewire/server"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningPlayground } from "../../bridge/index.ts"
import { asPage, parseEvents, send, startBridge } from "./bridge.ts"

describe("the bridge", () => {
  let bridge: RunningPlayground
  beforeAll(async () => {
    bridge = await startBridge({ rcon: true })
  })
  afterAll(() => bridge.close())

  it("serves the page with a strict content security policy, and serves no other files", async () => {
    const page = await send(bridge, { path: "/" })
    expect(page.status).toBe(200)
    expect(page.headers["content-type"]).toContain("text/html")
    const policy = String(page.headers["content-security-policy"])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain("unsafe")
    expect((await send(bridge, { path: "/../package.json" })).status).toBe(404)
  })

  it("lists its features, and describes its API", async () => {
    const status = JSON.parse((await asPage(bridge, { path: "/api/status" })).body)
    expect(status).toMatchObject({ rcon: true, emulatedPassword: "playground", emulate: true, allow: [] })
    expect(status.profiles.length).toBeGreaterThan(5)
    const openapi = JSON.parse((await asPage(bridge, { path: "/api/openapi.json" })).body)
    expect(Object.keys(openapi.paths)).toContain("/api/ask")
  })

  it("reports every datagram of a query, and then the reply", async () => {
    await using server = await startServer({ transport, profile: "css" })
    const body = { address: `127.0.0.1:${server.port}`, kind: "query" }
    const events = parseEvents(await asPage(bridge, { path: "/api/ask", body }))
    const datagrams = events.filter((event) => event["_tag"] === "Datagram")
    expect(datagrams[0]).toMatchObject({ direction: "sent", timeMs: 0 })
    expect(decode(fromHex(String(datagrams[0]!["hex"]))!)).toMatchObject({ success: { _tag: "InfoRequest" } })
    const sent = datagrams.filter(({ direction }) => direction === "sent").map(({ hex }) => hex)
    const { replies, requests } = server.counters()
    expect(sent.length).toBe(requests)
    // If a request was retransmitted, the server sends two replies. If the second reply arrives after the result, the bridge does not
    // report this reply.
    const received = datagrams.length - sent.length
    if (new Set(sent).size === sent.length) expect(received).toBe(replies)
    else expect(received).toBeLessThanOrEqual(replies)
    const last = events.at(-1) as { _tag: string; answer: Record<string, { _tag: string }> }
    expect(last._tag).toBe("Answered")
    expect([last.answer["info"]!._tag, last.answer["players"]!._tag, last.answer["rules"]!._tag]).toEqual([
      "InfoReply",
      "PlayersReply",
      "RulesReply"
    ])
  })

  it("returns the summary of a server together with its INFO reply", async () => {
    await using server = await startServer({ transport, profile: "rust" })
    const address = `127.0.0.1:${server.port}`
    for (const kind of ["query", "info"]) {
      const events = parseEvents(await asPage(bridge, { path: "/api/ask", body: { address, kind } }))
      expect(events.at(-1)).toMatchObject({
        answer: { info: { players: 44 }, summary: { game: "Rust", players: 300, mode: "rust" } }
      })
    }
    const players = parseEvents(await asPage(bridge, { path: "/api/ask", body: { address, kind: "players" } }))
    expect(players.at(-1)).not.toHaveProperty("answer.summary")
  })

  it("reports only the first megabyte of a flood", async () => {
    const flood = createSocket("udp4")
    await new Promise<void>((resolve) => flood.bind(0, "127.0.0.1", resolve))
    // The datagram is invalid. Therefore the query continues to wait for a reply.
    const datagram = Buffer.alloc(60_000, "a")
    let asking = true
    flood.once("message", (_, { address, port }) => {
      let left = 200
      const more = (): void => {
        if (asking && left-- > 0) flood.send(datagram, port, address, () => setTimeout(more, 1))
      }
      more()
    })
    const body = { address: `127.0.0.1:${flood.address().port}`, kind: "info", timeoutMs: 2000, retries: 0 }
    const events = parseEvents(await asPage(bridge, { path: "/api/ask", body }))
    asking = false
    flood.close()
    const bytes = events.reduce((sum, event) => sum + String(event["hex"] ?? "").length / 2, 0)
    expect(bytes).toBeGreaterThan(datagram.length)
    expect(bytes).toBeLessThanOrEqual(1024 * 1024)
    expect(events.at(-1)).toMatchObject({ _tag: "Failed" })
  })

  it.each(["info", "players", "rules", "ping", "challenge"])("queries %s", async (kind) => {
    await using server = await startServer({ transport, profile: "tf2" })
    const events = parseEvents(
      await asPage(bridge, { path: "/api/ask", body: { address: `127.0.0.1:${server.port}`, kind } })
    )
    expect(events.at(-1)).toMatchObject({ _tag: "Answered" })
  })

  it("reports each error as an event", async () => {
    const closed = parseEvents(
      await asPage(bridge, { path: "/api/ask", body: { address: "127.0.0.1:9", kind: "info", timeoutMs: 500 } })
    )
    // The error contains no internal fields and no stack trace.
    const error = { _tag: "PortClosed", message: expect.any(String) }
    expect(closed.at(-1)).toEqual({ _tag: "Failed", error })
    const nonsense = parseEvents(await asPage(bridge, { path: "/api/ask", body: { address: "1.2.3", kind: "info" } }))
    expect(nonsense).toMatchObject([{ _tag: "Failed", error: { _tag: "InvalidAddress" } }])
    const relayed = parseEvents(
      await asPage(bridge, { path: "/api/ask", body: { address: "169.254.1.2", kind: "info" } })
    )
    const message = expect.stringContaining("Steam's relays")
    expect(relayed).toMatchObject([{ _tag: "Failed", error: { _tag: "NotQueryable", message } }])
    const addresses = ["169.254.1.2:27015", "1.2.3"]
    const listed = parseEvents(await asPage(bridge, { path: "/api/list", body: { addresses } })).flat()
    expect(listed).toMatchObject([
      { target: addresses[0], error: { _tag: "NotQueryable", message } },
      { target: addresses[1], error: { _tag: "InvalidAddress" } }
    ])
  })

  it("marks an ambiguous round-trip time", async () => {
    await using server = await startServer({
      transport,
      profile: { ...profiles.css(), trusts: ["info"] },
      faults: { delayMs: 900 }
    })
    const address = `127.0.0.1:${server.port}`
    const [asked, listed] = await Promise.all([
      asPage(bridge, { path: "/api/ask", body: { address, kind: "info", timeoutMs: 20_000 } }),
      asPage(bridge, { path: "/api/list", body: { addresses: [address] } })
    ])
    expect(parseEvents(asked).at(-1)).toMatchObject({ _tag: "Answered", answer: { rttAmbiguous: true, info: {} } })
    expect(parseEvents(listed).flat()).toMatchObject([{ target: address, rttAmbiguous: true }])
  })

  it("queries a list of servers", async () => {
    await using one = await startServer({ transport, profile: "css" })
    await using two = await startServer({ transport, profile: "rust" })
    const addresses = [`127.0.0.1:${one.port}`, `127.0.0.1:${two.port}`, "127.0.0.1:9"]
    const reply = await asPage(bridge, { path: "/api/list", body: { addresses } })
    const results = parseEvents(reply).flat() as unknown as ReadonlyArray<{
      target: string
      info?: unknown
      error?: { _tag: string }
    }>
    expect(results.map((result) => result.target).toSorted()).toEqual(addresses.toSorted())
    expect(results.filter((result) => result.info !== undefined)).toHaveLength(2)
    const rust = results.find((result) => result.target === addresses[1])
    expect(rust).toMatchObject({ info: { players: 44 }, summary: { game: "Rust", players: 300 } })
    expect(results.find((result) => result.target === "127.0.0.1:9")?.error).toBeDefined()
  })

  it("watches a server until the page disconnects", async () => {
    await using server = await startServer({ transport, profile: "css" })
    const leaving = new AbortController()
    const response = await fetch(`http://127.0.0.1:${bridge.port}/api/watch`, {
      method: "POST",
      headers: { authorization: `Bearer ${bridge.token}`, "content-type": "application/json" },
      body: JSON.stringify({ address: `127.0.0.1:${server.port}`, intervalMs: 500 }),
      signal: leaving.signal
    })
    let text = ""
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.split("rttMs").length > 2) break
    }
    leaving.abort()
    expect(text).toContain("InfoReply")
  })

  it("runs console commands, and never reveals the password", async () => {
    await using console = await startRconServer({
      transport,
      engine: "source",
      password: "s3cret",
      port: 0,
      handler: (command) => `You said ${command}.\n`
    })
    const address = `127.0.0.1:${console.local.port}`
    const good = await asPage(bridge, {
      path: "/api/rcon",
      body: { address, password: "s3cret", command: "status", engine: "source" }
    })
    expect(parseEvents(good).map((event) => event["_tag"])).toEqual(["Connected", "Text", "Done"])
    expect(good.body).toContain("You said status.")
    const bad = await asPage(bridge, {
      path: "/api/rcon",
      body: { address, password: "wr0ng", command: "status", engine: "source" }
    })
    expect(parseEvents(bad).at(-1)).toMatchObject({ _tag: "Failed", error: { _tag: "AuthenticationFailed" } })
    expect(good.body + bad.body).not.toMatch(/s3cret|wr0ng/)
  })

  it("emulates a server that compresses its replies", async () => {
    const body = { profile: "css", faults: ["compress"], count: 1 }
    const [server] = JSON.parse((await asPage(bridge, { path: "/api/servers", body })).body) as ReadonlyArray<{
      address: string
    }>
    const asked = parseEvents(
      await asPage(bridge, { path: "/api/ask", body: { address: server!.address, kind: "rules" } })
    )
    const fragments = asked.filter((event) => String(event["hex"]).startsWith("feffffff"))
    expect(fragments.some((event) => String(event["hex"]).includes("425a68"))).toBe(true)
    expect(asked.at(-1)).toMatchObject({ _tag: "Answered" })
    await asPage(bridge, { method: "DELETE", path: "/api/servers" })
  })

  it("emulates servers with faults", async () => {
    const body = { profile: "css", faults: ["rechallenge=1"], count: 2 }
    const started = JSON.parse((await asPage(bridge, { path: "/api/servers", body })).body) as ReadonlyArray<{
      id: string
      address: string
    }>
    expect(started).toHaveLength(2)
    const asked = parseEvents(
      await asPage(bridge, { path: "/api/ask", body: { address: started[0]!.address, kind: "players" } })
    )
    const challenges = asked.filter(
      (event) => event["direction"] === "received" && String(event["hex"]).startsWith("ffffffff41")
    )
    expect(challenges.length).toBeGreaterThan(1)
    expect(asked.at(-1)).toMatchObject({ _tag: "Answered" })
    const left = JSON.parse((await asPage(bridge, { method: "DELETE", path: `/api/servers/${started[0]!.id}` })).body)
    expect(left).toHaveLength(1)
    expect(JSON.parse((await asPage(bridge, { method: "DELETE", path: "/api/servers" })).body)).toEqual([])
    const refused = await asPage(bridge, {
      path: "/api/servers",
      body: { profile: "css", faults: ["loss=2"], count: 1 }
    })
    expect([refused.status, JSON.parse(refused.body)._tag]).toEqual([400, "Unusable"])
  })
})
