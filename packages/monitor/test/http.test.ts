/** The pages of a monitor, over a real socket of loopback; the game servers are in memory. */
import { assert, describe, expect, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import { hashSync } from "bcryptjs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { afterAll } from "vitest"
import { mkdtempSync, rmSync } from "node:fs"
import * as http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { layer as standingLayer } from "../src/fleet/Standing.ts"
import { gateOf } from "../src/http/access.ts"
import type { PageFile } from "../src/http/Page.ts"
import { layer, Web, type WebOptions } from "../src/http/server.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { css, info } from "./answers.ts"
import { inLab, type Lab, planFor, type RunningMonitor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-http-"))
afterAll(() => rmSync(directory, { recursive: true }))

interface Page {
  readonly status: number
  readonly body: string
}

interface Pages extends Lab, RunningMonitor {
  readonly url: string
  readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Page>
  readonly json: (path: string) => Effect.Effect<unknown>
}

const EVIL = 'a"b\\c\n\u202e\u001b[31m'
const PLAN = planFor({
  groups: [
    {
      name: "all",
      targets: ["127.0.0.1:27015", "127.0.0.1:27016"],
      labels: { region: "eu" },
      intervalMs: 5000,
      query: "all",
      timeoutMs: 500
    },
    { name: "evil", targets: ["127.0.0.1:27017"], intervalMs: 5000 }
  ],
  probe: { allow: ["127.0.0.0/24"] }
})

let files = 0
/** Three targets, of which the second is dead and the third has a name that means ill. */
const test = (name: string, use: (pages: Pages) => Effect.Effect<void, unknown>, options: Partial<WebOptions> = {}) =>
  it.effect(name, () =>
    inLab(join(directory, `${files++}.db`), (lab) =>
      Effect.gen(function* () {
        yield* lab.serve(27_015)
        yield* lab.serve(27_017, { ...css, info: { ...info, name: EVIL, players: 3 } })
        const running = yield* lab.watch(PLAN)
        yield* lab.pass(20)
        const services = Context.make(Monitor, running.monitor).pipe(
          Context.add(Store, running.store),
          Context.add(Datagrams, lab.network.datagrams)
        )
        const web = layer({ host: "127.0.0.1", port: 0, access: {}, history: true, ...options })
        const { port } = Context.get(
          yield* Layer.build(
            web.pipe(
              Layer.provide(standingLayer({ name: "test", version: "1.0.0" })),
              Layer.provide(Layer.succeedContext(services))
            )
          ),
          Web
        )
        const url = `http://127.0.0.1:${port}`
        const get = (path: string, headers: Record<string, string> = {}) =>
          Effect.promise(async () => {
            const response = await fetch(url + path, { headers })
            return { status: response.status, body: await response.text() }
          })
        const json = (path: string) => Effect.map(get(path), ({ body }) => JSON.parse(body) as unknown)
        yield* use({ ...lab, ...running, url, get, json })
      })
    )
  )

test("answers of the API come compressed to those who take gzip", ({ url }) =>
  Effect.promise(async () => {
    const responses = await Promise.all(
      ["gzip", "identity"].map((encoding) => fetch(`${url}/api/targets`, { headers: { "accept-encoding": encoding } }))
    )
    expect(responses.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null])
    const [packed, plain] = await Promise.all(responses.map((response) => response.json()))
    expect(packed).toEqual(plain)
  }))

test("says how the machine does that asks, and how late it is", ({ get, json }) =>
  Effect.gen(function* () {
    expect(yield* json("/api/fleet")).toMatchObject({
      shared: false,
      slices: 300,
      orphaned: 0,
      runners: [{ name: "test", alive: true, self: true, slices: 300, report: { targets: 3, lagMs: 0, lost: 0 } }]
    })
    const { body } = yield* get("/metrics")
    expect(body).toMatch(/^sourcewire_monitor_slices 300$/m)
    expect(body).toMatch(/^sourcewire_monitor_turn_lag_seconds 0$/m)
    expect(body).toMatch(/^sourcewire_monitor_store_written_timestamp_seconds 1\d+/m)
  }))

describe("the dashboard", () => {
  const file = (text: string, contentType: string, immutable: boolean) => ({
    bytes: new TextEncoder().encode(text),
    contentType,
    immutable
  })
  const page = new Map<string, PageFile>([
    ["/", file("<!doctype html>", "text/html; charset=utf-8", false)],
    [
      "/assets/page-1.js",
      { ...file("start()", "text/javascript; charset=utf-8", true), gzip: new Uint8Array(gzipSync("start()")) }
    ]
  ])

  test(
    "is served under a policy that lets nothing in but what is this monitor's",
    ({ url }) =>
      Effect.promise(async () => {
        const start = await fetch(`${url}/`)
        assert.strictEqual(await start.text(), "<!doctype html>")
        expect(start.headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(start.headers.get("cache-control")).toBe("no-cache")
        const policy = start.headers.get("content-security-policy")!
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
        expect(policy).not.toMatch(/unsafe|\*|data:/)
        const script = await fetch(`${url}/assets/page-1.js`)
        assert.strictEqual(await script.text(), "start()")
        expect(script.headers.get("cache-control")).toContain("immutable")
        expect(script.headers.get("content-encoding")).toBe("gzip")
        for (const encoding of ["identity", "gzip;q=0, br"]) {
          const plain = await fetch(`${url}/assets/page-1.js`, { headers: { "accept-encoding": encoding } })
          assert.strictEqual(await plain.text(), "start()")
          assert.isFalse(plain.headers.has("content-encoding"), encoding)
        }
        for (const path of ["/assets/", "/assets/..%2f..%2fetc%2fpasswd", "/index.html"]) {
          assert.strictEqual((await fetch(url + path)).status, 404, path)
        }
      }),
    { page }
  )

  test(
    "is for nobody without the token, which a browser sends as a password",
    ({ get }) =>
      Effect.gen(function* () {
        const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` })
        assert.strictEqual((yield* get("/")).status, 401)
        assert.strictEqual((yield* get("/", basic(":other-token-is-long"))).status, 401)
        assert.strictEqual((yield* get("/", basic(":right-token-is-long"))).status, 200)
      }),
    { page, access: { token: "right-token-is-long" } }
  )
})

describe("the API", () => {
  test("lists targets, found and in order, page by page", ({ get, json }) =>
    Effect.gen(function* () {
      assert.deepInclude(yield* json("/api/overview"), {
        targets: 3,
        up: 2,
        down: 1,
        unknown: 0,
        groups: ["all", "evil"]
      })
      const addresses = (query: string) =>
        Effect.map(json(`/api/targets?${query}`), (page) =>
          (page as { targets: ReadonlyArray<{ address: string }> }).targets
            .map(({ address }) => address.slice(-1))
            .join("")
        )
      assert.strictEqual(yield* addresses(""), "567")
      assert.strictEqual(yield* addresses("sort=players&order=desc"), "576")
      assert.strictEqual(yield* addresses("sort=players"), "756")
      assert.strictEqual(yield* addresses("state=down"), "6")
      assert.strictEqual(yield* addresses("sort=state"), "657")
      assert.strictEqual(yield* addresses("q=EU&offset=1&limit=1"), "6")
      assert.strictEqual(yield* addresses("group=evil"), "7")
      assert.strictEqual(yield* addresses("q=DUST2"), "57")
      for (const query of ["limit=1001", "limit=x", "sort=nothing", "offset=-1", "state=odd"]) {
        assert.strictEqual((yield* get(`/api/targets?${query}`)).status, 400, query)
      }
    }))

  test("shows one target with all that it said, and how it was", ({ get, json, monitor }) =>
    Effect.gen(function* () {
      const { id } = monitor.find("127.0.0.1:27015")!
      expect(yield* json(`/api/targets/${id}`)).toMatchObject({
        target: { id, state: "up", name: info.name, map: info.map, labels: { region: "eu" } },
        intervalMs: 5000,
        sources: ["configuration"],
        answer: { info, players: {}, rules: {} },
        changes: []
      })
      const samples = yield* json(`/api/targets/${id}/samples`)
      expect(samples).toMatchObject({ stepMs: 300_000, samples: [{ players: { max: info.players } }] })
      expect(yield* json(`/api/targets/${id}/samples?step=1h`)).toMatchObject({ stepMs: 3_600_000, samples: [{}] })
      expect(yield* json(`/api/days?targets=${id},999`)).toEqual({
        players: { [id]: [...Array.from({ length: 23 }, () => null), info.players] }
      })
      for (const none of ["", "x", "1,", Array.from({ length: 101 }, () => "1").join(",")]) {
        assert.strictEqual((yield* get(`/api/days?targets=${none}`)).status, 400, none)
      }
      assert.strictEqual((yield* get("/api/targets/999")).status, 404)
      assert.strictEqual((yield* get("/api/targets/x")).status, 400)
    }))

  test("tells changes, and describes itself", ({ json, monitor }) =>
    Effect.gen(function* () {
      const dead = monitor.find("127.0.0.1:27016")!.id
      expect(yield* json("/api/changes?limit=5")).toMatchObject([
        { target: dead, address: "127.0.0.1:27016", field: "state", from: "unknown", to: "down" }
      ])
      expect(yield* json("/api/changes?field=state")).toMatchObject([{ target: dead }])
      for (const none of [`target=${dead + 1}`, "field=map"]) expect(yield* json(`/api/changes?${none}`)).toEqual([])
      const { paths } = (yield* json("/openapi.json")) as { paths: object }
      assert.sameMembers(Object.keys(paths), [
        "/api/fleet",
        "/api/sources",
        "/api/overview",
        "/api/targets",
        "/api/targets/{id}",
        "/api/targets/{id}/samples",
        "/api/days",
        "/api/changes"
      ])
    }))

  test("sends what happens, and what was missed", ({ monitor, pass, serve, url }) =>
    Effect.gen(function* () {
      const listen = (path: string, headers: Record<string, string> = {}) => {
        let text = ""
        const request = http.get(url + path, { headers }, (response) =>
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        )
        const until = (part: string) =>
          Effect.promise(async () => {
            while (!text.includes(part)) await new Promise((resolve) => setTimeout(resolve, 5))
            return text
          })
        return { until, end: () => request.destroy() }
      }
      const [all, changes] = [listen("/api/events?updates=1"), listen("/api/events")]
      yield* Effect.all([all.until(": "), changes.until(": ")])
      yield* serve(27_016)
      const target = monitor.find("127.0.0.1:27016")!
      // Somebody looks at it, so it is asked within its interval.
      for (let second = 0; second < 7; second++) {
        yield* monitor.look(target)
        yield* pass(1)
      }
      assert.strictEqual(target.known.state, "up")
      const text = yield* all.until('"to":"up"')
      assert.match(text, /^event: update\ndata: \[\{"id":/m)
      const [, id] = /^event: change\nid: (\d+)\ndata: \{/m.exec(yield* changes.until('"to":"up"'))!
      assert.notInclude(yield* changes.until("change"), "event: update")
      const late = listen("/api/events", { "last-event-id": String(Number(id) - 1) })
      assert.include(yield* late.until('"to":"up"'), `id: ${id}\n`)
      for (const reader of [all, changes, late]) reader.end()
    }))
})

describe("what Prometheus reads", () => {
  test("has few series per server, and nothing that a server's name could break", ({ get }) =>
    Effect.gen(function* () {
      const { body } = yield* get("/metrics")
      for (const line of body.trim().split("\n")) {
        assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="([^"\\\n]|\\.)*",?)*\})? -?\d[\d.e+-]*)$/)
      }
      assert.include(
        body,
        `sourcewire_server_players{target="127.0.0.1:27015",group="all",region="eu"} ${info.players}\n`
      )
      assert.include(body, 'name="a\\"b\\\\c␊�␛[31m"')
      // A server that is down has no counts, and says so.
      const dead = body.split("\n").filter((line) => line.includes("27016"))
      assert.deepStrictEqual(dead, ['sourcewire_server_up{target="127.0.0.1:27016",group="all",region="eu"} 0'])
      assert.strictEqual(body.split("\n").filter((line) => line.includes("27015")).length, 7)
    }))

  test("probes what is watched or allowed, and nothing else", ({ get, pass, serve }) =>
    Effect.gen(function* () {
      const { server } = yield* serve(27_020)
      const probe = (query: string) => get(`/probe?${query}`)
      assert.include((yield* probe("target=127.0.0.1:27015")).body, "probe_success 1\n")
      assert.include((yield* probe("target=127.0.0.1:27016")).body, "probe_success 0\n")
      const allowed = yield* Effect.forkChild(probe("target=127.0.0.1:27020&module=info"))
      while (server.counters().replies < 2) yield* pass(0.01, 0.01)
      // A batch of results waits some milliseconds for company.
      yield* pass(0.2, 0.01)
      assert.include((yield* Fiber.join(allowed)).body, "probe_success 1\n")
      for (const target of ["192.0.2.1:27015", "other.example:27015"]) {
        assert.strictEqual((yield* probe(`target=${target}`)).status, 403)
      }
      for (const query of ["", "target=", "target=1.2.3", "target=127.0.0.1&module=icmp"]) {
        assert.strictEqual((yield* probe(query)).status, 400, query)
      }
    }))

  test("finds the targets", ({ json }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json("/targets?group=all"), [
        { targets: ["127.0.0.1:27015", "127.0.0.1:27016"], labels: { group: "all", region: "eu" } }
      ])
    }))
})

describe("who may read", () => {
  const token = "0123456789abcdef"
  const users = { eve: hashSync("right", 4) }
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`

  it.each([
    ["nothing", "", "unknown"],
    ["the token", `Bearer ${token}`, "welcome"],
    ["another token", `Bearer ${token}x`, "unknown"],
    ["a name and its password", basic("eve:right"), "welcome"],
    ["a wrong password", basic("eve:wrong"), "unknown"],
    ["a name that is not there", basic("adam:right"), "unknown"],
    ["a name that objects have", basic("constructor:x"), "unknown"],
    ["no colon", basic("eve"), "unknown"],
    ["another scheme", "Digest x", "unknown"]
  ])("is told by %s", async (_, authorization, verdict) => {
    const gate = gateOf({ token, users })
    expect(await gate({ authorization })).toBe(verdict)
    expect(await gate({ authorization })).toBe(verdict)
  })

  it("is not found out by many at once", async () => {
    const gate = gateOf({ users })
    const tries = Array.from({ length: 20 }, (_, i) => gate({ authorization: basic(`eve:${i}`) }))
    const verdicts = await Promise.all(tries)
    expect(verdicts.filter((verdict) => verdict === "busy")).toHaveLength(16)
    expect(await gate({ authorization: basic("eve:right") })).toBe("welcome")
  })

  it.each([
    ["127.0.0.1:9155", "welcome"],
    ["localhost:9155", "welcome"],
    ["[::1]:9155", "welcome"],
    ["evil.example:9155", "foreign"],
    ["", "foreign"]
  ])("without a password depends on the name that a page used: %s", async (host, verdict) => {
    expect(await gateOf({})({ host })).toBe(verdict)
  })

  test(
    "is looked at on every path but one",
    ({ get }) =>
      Effect.gen(function* () {
        for (const path of [
          "/metrics",
          "/api/targets",
          "/api/events",
          "/openapi.json",
          "/probe",
          "/health",
          "/nope",
          "//live"
        ]) {
          assert.strictEqual((yield* get(path)).status, 401, path)
        }
        assert.strictEqual((yield* get("/live")).status, 200)
        assert.strictEqual((yield* get("/ready")).status, 200)
        assert.strictEqual((yield* get("/health", { authorization: `Bearer ${token}` })).status, 200)
      }),
    { access: { token } }
  )

  test("nobody who wants to change something", ({ url }) =>
    Effect.gen(function* () {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const { status } = yield* Effect.promise(() => fetch(`${url}/api/targets`, { method }))
        assert.include([404, 405], status)
      }
    }))
})
