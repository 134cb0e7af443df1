/** Tests of bodies that the page would not send to the bridge. */
import { seededRandom } from "@sourcewire/core/testing"
import { type RunningServer, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunningPlayground } from "../../bridge/index.ts"
import { asPage, type Reply, sendRaw, startBridge } from "./bridge.ts"

let bridge: RunningPlayground
let game: RunningServer
beforeAll(async () => {
  game = await startServer({ transport: layer })
  // The bridge may query only these addresses. Therefore no payload can make the bridge send a datagram to another machine.
  const limits = { burst: 1e6, perSecond: 1e6, streams: 1e6 }
  bridge = await startBridge({ rcon: true, allow: [address(), CLOSED], limits })
})
afterAll(async () => {
  await bridge.close()
  await game.close()
})

const SECRET = "s3cret-pass"

/** The address of a server that replies. */
const address = (): string => `127.0.0.1:${game.port}`

/** An address with a closed port. A query of this address fails immediately. */
const CLOSED = "127.0.0.1:1"

/**
 * A valid body for each route. The bridge may not query the address in the body of `/api/watch`, because the stream of a watch would not
 * end.
 */
const BODIES: Readonly<Record<string, () => unknown>> = {
  "/api/ask": () => ({ address: address(), kind: "query", timeoutMs: 200, retries: 0 }),
  "/api/list": () => ({ addresses: [address(), address()] }),
  "/api/rcon": () => ({ address: CLOSED, password: SECRET, command: "status", engine: "source" }),
  "/api/servers": () => ({ profile: "css", faults: ["loss=0.5"], count: 1 }),
  "/api/watch": () => ({ address: "127.0.0.1:2", intervalMs: 500 })
}

describe("an invalid body", () => {
  it.each<[string, unknown, string]>([
    ["/api/ask", {}, "address: Missing key."],
    ["/api/ask", { address: 1 }, "address: Expected string."],
    ["/api/ask", { address: "x", kind: "info", timeoutMs: 0 }, "timeoutMs: Expected a value between 1 and 60000."],
    ["/api/ask", null, "The body: Expected AskRequest."],
    ["/api/list", { addresses: ["x", 5] }, "addresses.1: Expected string."],
    ["/api/servers", { profile: "css", faults: [], count: 1.5 }, "count: Expected an integer."],
    ["/api/rcon", { address: "x", password: { [SECRET]: 1 }, command: "" }, "password: Expected string."]
  ])("is rejected with an explanation: %s %j", async (path, body, message) => {
    const reply = await asPage(bridge, { path, body })
    expect([reply.status, JSON.parse(reply.body)]).toEqual([400, { _tag: "Unusable", message }])
  })

  it.each([
    "",
    "{",
    "nonsense",
    "\xff\xfe",
    "\u{0}",
    '{"address":}',
    "[".repeat(100_000),
    `{"a":${"[".repeat(50_000)}`
  ])("is rejected with an explanation if it is not JSON: %.20j", async (text) => {
    const head = `POST /api/ask HTTP/1.1\r\nHost: ${bridge.host}:${bridge.port}\r\nAuthorization: Bearer ${bridge.token}\r\n`
    const type = "Content-Type: application/json\r\nConnection: close\r\n"
    const bytes = `${head}${type}Content-Length: ${text.length}\r\n\r\n${text}`
    const [start, body] = (await sendRaw(bridge, bytes, 2)).split("\r\n\r\n")
    expect(start).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(body!)).toEqual({ _tag: "Unusable", message: expect.stringMatching(/^The body: Expected .+\.$/) })
  })

  it("is rejected with status 413 if it is too large", async () => {
    const addresses = Array.from({ length: 5000 }, () => "x".repeat(200))
    const reply = await asPage(bridge, { path: "/api/list", body: { addresses } })
    expect([reply.status, JSON.parse(reply.body)._tag]).toEqual([413, "TooLarge"])
  })
})

const ODD: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  "",
  "\u0000",
  "\ud800",
  "-",
  "[",
  "%",
  "\u202e",
  " 127.0.0.1:1 ",
  "127.0.0.1:99999",
  "127.0.0.1:1\r\nX: 1",
  "y".repeat(5000),
  [],
  [[]],
  Array.from({ length: 6000 }, () => "127.0.0.1:1"),
  {},
  { length: 1 },
  { toString: 1, valueOf: null },
  JSON.parse('{"__proto__":{"address":"127.0.0.1:1"}}')
]

/** Returns a copy of the value with one random change at any depth. */
const changed = (value: unknown, random: () => number): unknown => {
  const below = (limit: number): number => Math.floor(random() * limit)
  const odd = (): unknown => ODD[below(ODD.length)]
  if (random() < 0.15 || typeof value !== "object" || value === null) return odd()
  if (Array.isArray(value)) {
    const at = below(value.length + 1)
    return at === value.length ? [...value, odd()] : value.with(at, changed(value[at], random))
  }
  const entries = Object.entries(value)
  const at = below(entries.length + 1)
  if (at === entries.length) return { ...value, [`${JSON.stringify(odd())}`]: odd() }
  if (random() < 0.2) return Object.fromEntries(entries.toSpliced(at, 1))
  return Object.fromEntries(entries.with(at, [entries[at]![0], changed(entries[at]![1], random)]))
}

const wrongWith = ({ body, status }: Reply): string | undefined => {
  if (body.includes(SECRET)) return "the response contains the password"
  if (status === 200) return /effect\/|The bridge failed/.test(body) ? "the stream broke" : undefined
  if (![400, 403, 413].includes(status)) return "the status"
  const { message } = JSON.parse(body) as { message?: unknown }
  return typeof message === "string" && message.length > 0 ? undefined : "no sentence"
}

describe("a randomly changed body", () => {
  it.each(Object.keys(BODIES))(
    "has the requested effect, or is rejected with a message: %s",
    async (path) => {
      const random = seededRandom(path.length)
      let refused = 0
      for (let run = 0; run < 150; run++) {
        let sent = BODIES[path]!()
        do sent = changed(sent, random)
        while (random() < 0.3)
        const reply = await asPage(bridge, { path, body: sent })
        expect([JSON.stringify(sent)?.slice(0, 200), reply.status, wrongWith(reply)]).toEqual([
          expect.anything(),
          reply.status,
          undefined
        ])
        if (reply.status === 400) refused++
        if (path === "/api/servers") await asPage(bridge, { method: "DELETE", path })
      }
      expect(refused).toBeGreaterThan(50)
    },
    120_000
  )
})
