/** Tests the pages and the API of a monitor over a real socket on loopback. The game servers are in memory. */
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
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { KINDS } from "@sourcewire/verdict"
import { layer as fleetStatusLayer } from "../src/fleet/FleetStatusService.ts"
import { makeGate } from "../src/http/access.ts"
import type { Days } from "../src/http/Api.ts"
import type { PageFile } from "@sourcewire/ui/page"
import { layer, Web, type WebOptions } from "../src/http/server.ts"
import { Store, StoreFailed } from "../src/store/Store.ts"
import type { TargetList } from "../src/http/targetList.ts"
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
/**
 * Starts a monitor of three targets. The second target is down, and the third target has a hostile name. The HTTP server uses the store
 * that `wrap` returns.
 */
const test = (
  name: string,
  use: (pages: Pages) => Effect.Effect<void, unknown>,
  options: Partial<WebOptions> = {},
  wrap = (store: typeof Store.Service) => store
) =>
  it.effect(name, () =>
    inLab(join(directory, `${files++}.db`), (lab) =>
      Effect.gen(function* () {
        yield* lab.serve(27_015)
        yield* lab.serve(27_017, { ...css, info: { ...info, name: EVIL, players: 3 } })
        const running = yield* lab.watch(PLAN)
        yield* lab.pass(20)
        const services = Context.make(Monitor, running.monitor).pipe(
          Context.add(Store, wrap(running.store)),
          Context.add(Datagrams, lab.network.datagrams)
        )
        const web = layer({ host: "127.0.0.1", port: 0, access: {}, history: true, ...options })
        const { port } = Context.get(
          yield* Layer.build(
            web.pipe(
              Layer.provide(fleetStatusLayer({ name: "test", version: "1.0.0" })),
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

test("replies of the API are compressed for clients that accept gzip", ({ url }) =>
  Effect.promise(async () => {
    const responses = await Promise.all(
      ["gzip", "identity"].map((encoding) => fetch(`${url}/api/targets`, { headers: { "accept-encoding": encoding } }))
    )
    expect(responses.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null])
    const [packed, plain] = await Promise.all(responses.map((response) => response.json()))
    expect(packed).toEqual(plain)
  }))

test("the API omits changes of a kind that this version does not support", ({ get, json, monitor, store }) =>
  Effect.gen(function* () {
    const target = monitor.find("127.0.0.1:27015")!
    const change = { slice: target.slice, target: target.id, from: "", to: "x" }
    const at = Date.now()
    const changes = (["mood", "map"] as unknown as ReadonlyArray<"map">).map((field, i) => ({
      ...change,
      id: (at + i) * 1000,
      at: at + i,
      field
    }))
    yield* store.write({ known: [], changes, hours: [], incidents: [], positions: new Map() })
    for (const path of ["/api/changes", `/api/changes?target=${target.id}`]) {
      const fields = ((yield* json(path)) as ReadonlyArray<{ field: string }>).map(({ field }) => field)
      expect(fields).toContain("map")
      expect(fields).not.toContain("mood")
    }
    expect((yield* get(`/api/targets/${target.id}`)).status).toBe(200)
  }))

test("the API explains how an honest server can cause a finding, and omits findings of a kind that this version does not support", (pages) =>
  Effect.gen(function* () {
    const { get, json, monitor, pass, store } = pages
    const { id } = monitor.find("127.0.0.1:27015")!
    expect(yield* json(`/api/targets/${id}`)).not.toHaveProperty("findings")
    expect(yield* json("/api/overview")).toMatchObject({ verdicts: false })
    const config = PLAN.config.groups.map((group) => (group.name === "all" ? { ...group, verdicts: true } : group))
    yield* monitor.follow(planFor({ groups: config }))
    const findings = [
      { kind: "no-handshake", strength: "weak", observed: "The server replied to INFO, but not to the handshake." },
      { kind: "redirect", strength: "strong", observed: EVIL },
      { kind: "newer", strength: "strong", observed: "x" }
    ] as const
    yield* store.judge([{ target: id, findings, kinds: new Set() }], Date.now(), 1000)
    yield* pass(31)
    const shown = (yield* json(`/api/targets/${id}`)) as { findings: ReadonlyArray<object> }
    expect(shown.findings).toMatchObject([
      { kind: "redirect", honest: KINDS.redirect.honest },
      { kind: "no-handshake", strength: "weak", expected: expect.stringMatching(/\.$/) as string }
    ])
    expect(JSON.stringify(shown.findings)).not.toContain("\\u001b")
    expect(yield* json(`/api/targets/${id}/findings`)).toHaveLength(2)
    expect(yield* json("/api/overview")).toMatchObject({ verdicts: true })
    const strongest = { kind: "redirect", strength: "strong", count: 2 }
    expect(yield* json("/api/targets?findings=strong")).toMatchObject({
      total: 1,
      targets: [{ id, findings: strongest }]
    })
    expect((yield* get("/api/targets?findings=severe")).status).toBe(400)
    expect((yield* get("/api/targets/999999/findings")).status).toBe(404)
    expect(yield* json("/api/changes?field=finding")).toMatchObject([{ to: "newer" }, { to: "redirect" }])
    const { body } = yield* get("/metrics")
    expect(body).toContain('sourcewire_monitor_findings{group="all",kind="redirect",strength="strong"} 1')
  }))

test("the API and the metrics report the state of this instance, and the delay of its queries", ({ get, json }) =>
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
    "is served with a content security policy that allows only the monitor's own content",
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
    "requires the token, which a browser can send as a password",
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
  test("lists the targets, which a client can filter, sort and divide into pages", ({ get, json }) =>
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
      assert.strictEqual(yield* addresses("address=127.0.0.1:27016"), "6")
      assert.strictEqual(yield* addresses("address=127.0.0.1"), "")
      for (const query of ["limit=1001", "limit=x", "sort=nothing", "offset=-1", "state=odd"]) {
        assert.strictEqual((yield* get(`/api/targets?${query}`)).status, 400, query)
      }
    }))

  test("uses the configured names of servers when it shows, finds and sorts the servers", ({ get, json, monitor }) =>
    Effect.gen(function* () {
      const [all, evil] = PLAN.config.groups
      const names = { "127.0.0.1:27016": "Arena", "127.0.0.1:27017": "Zoo" }
      yield* monitor.follow(
        planFor({
          ...PLAN.config,
          groups: [
            { ...all!, names },
            { ...evil!, names: { "127.0.0.1:27017": "Zoo" } }
          ]
        })
      )
      const listNames = (query: string) =>
        Effect.map(json(`/api/targets?${query}`), (page) =>
          (page as { targets: ReadonlyArray<{ name: string }> }).targets.map(({ name }) => name)
        )
      // The second target has never replied. The third target reports a name that differs from its configured name.
      expect(yield* listNames("sort=name")).toEqual(["Arena", info.name, "Zoo"])
      expect(yield* listNames("q=arena")).toEqual(["Arena"])
      expect((yield* get("/badge/127.0.0.1:27017.svg")).body).toContain("<title>Zoo:")
      expect(yield* json("/api/changes?field=state")).toMatchObject([{ name: "Arena" }])
      expect(yield* json("/api/incidents")).toMatchObject({ incidents: [{ name: "Arena" }] })
    }))

  test("shows one target with its complete reply and its history", ({ get, json, monitor }) =>
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
      const { players, times } = (yield* json(`/api/days?targets=${id},999`)) as typeof Days.Type
      expect(players).toEqual({ [id]: [...Array.from({ length: 23 }, () => null), info.players] })
      // The target was up for a few seconds of the current hour, and was not monitored in the other hours.
      expect(times[id]!.slice(0, 23)).toEqual(Array.from({ length: 23 }, () => [0, 0, 0]))
      expect(times[id]![23]).toEqual([expect.toSatisfy((upMs: number) => upMs > 0 && upMs <= 20_000), 0, 0])
      expect(Object.keys(times)).toEqual([String(id)])
      for (const none of ["", "x", "1,", Array.from({ length: 101 }, () => "1").join(",")]) {
        assert.strictEqual((yield* get(`/api/days?targets=${none}`)).status, 400, none)
      }
      assert.strictEqual((yield* get("/api/targets/999")).status, 404)
      assert.strictEqual((yield* get("/api/targets/x")).status, 400)
    }))

  test("lists the changes, which a client can filter by target and field", ({ json, monitor }) =>
    Effect.gen(function* () {
      const dead = monitor.find("127.0.0.1:27016")!.id
      expect(yield* json("/api/changes?limit=5")).toMatchObject([
        { target: dead, address: "127.0.0.1:27016", field: "state", from: "unknown", to: "down" }
      ])
      expect(yield* json("/api/changes?field=state")).toMatchObject([{ target: dead }])
      for (const none of [`target=${dead + 1}`, "field=map"]) expect(yield* json(`/api/changes?${none}`)).toEqual([])
    }))

  test("describes its methods, authentication, errors and integer parameters in its OpenAPI document", ({ json }) =>
    Effect.gen(function* () {
      interface Operation {
        readonly parameters: ReadonlyArray<{ readonly name: string; readonly schema: object }>
        readonly responses: Record<string, object>
      }
      const spec = (yield* json("/openapi.json")) as {
        readonly paths: Record<string, Record<string, Operation>>
        readonly components: { readonly schemas: object; readonly securitySchemes: object }
        readonly security: object
      }
      const operations = Object.entries(spec.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`)
      )
      expect(operations).toEqual(
        expect.arrayContaining([
          "get /api/targets",
          "post /api/targets",
          "delete /api/targets/{id}",
          "post /api/mutes",
          "delete /api/mutes/{id}",
          "get /api/incidents",
          "get /api/events",
          "get /metrics",
          "get /probe",
          "get /badge/{address}.svg"
        ])
      )
      expect(spec.security).toEqual([{ bearer: [] }, { basic: [] }, {}])
      expect(Object.keys(spec.components.securitySchemes)).toEqual(["bearer", "basic"])
      const { parameters, responses } = spec.paths["/api/targets"]!["get"]!
      expect(parameters.find(({ name }) => name === "limit")!.schema).toEqual({
        type: "integer",
        minimum: 0,
        maximum: 1000
      })
      expect(Object.keys(responses)).toEqual(["200", "400", "401", "403", "429"])
      expect(Object.keys(spec.paths["/api/mutes"]!["post"]!.responses)).toEqual(
        expect.arrayContaining(["201", "403", "422", "503"])
      )
      // The document contains the schema of every reference (`$ref`).
      for (const [, name] of JSON.stringify(spec).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(spec.components.schemas).toHaveProperty([name!])
      }
      const numbers = Object.entries(spec.paths).flatMap(([path, methods]) =>
        path.startsWith("/api/") && !path.startsWith("/api/export/")
          ? Object.values(methods).flatMap(({ parameters }) =>
              parameters.filter(({ name }) =>
                ["from", "to", "id", "target", "limit", "offset", "before"].includes(name)
              )
            )
          : []
      )
      for (const { schema } of numbers) expect(schema).toMatchObject({ type: "integer" })
    }))

  test("rejects an invalid parameter; the error contains the parameter's name, its valid values and the given value", ({
    get,
    url
  }) =>
    Effect.gen(function* () {
      const wrong = (path: string) => Effect.map(get(path), ({ body, status }) => [status, JSON.parse(body) as object])
      for (const [path, parameter, message] of [
        ["targets?limit=1001", "limit", 'in the query must be a whole number between 0 and 1000; it was "1001"'],
        ["targets?limit=x", "limit", 'in the query must be a whole number between 0 and 1000; it was "x"'],
        ["targets?order=up", "order", 'in the query must be one of "asc", "desc"; it was "up"'],
        [
          `targets?q=${"x".repeat(201)}`,
          "q",
          `in the query must be text of up to 200 characters; it was "${"x".repeat(59)}…`
        ],
        ["targets/x", "id", 'in the path must be a whole number between 0 and 2147483647; it was "x"'],
        ["incidents?after=1", "after", 'in the query must be the value of `next` from the previous page; it was "1"'],
        ["days", "targets", "in the query is required"],
        [
          "days?targets=a",
          "targets",
          'in the query must be the numbers of up to 100 targets, separated by commas; it was "a"'
        ],
        ["targets/1/samples?step=7m", "step", 'in the query must be one of "5m", "1h"; it was "7m"']
      ] as const) {
        const [status, body] = yield* wrong(`/api/${path}`)
        assert.strictEqual(status, 400, path)
        expect(body).toEqual({ _tag: "BadRequest", parameter, message: `${parameter} ${message}.` })
      }
      const post = (body: string, type = "application/json") =>
        Effect.promise(async () => {
          const response = await fetch(`${url}/api/mutes`, { method: "POST", headers: { "content-type": type }, body })
          return [response.status, (await response.json()) as object] as const
        })
      expect(yield* post('{"until":"tomorrow"}')).toEqual([
        400,
        {
          _tag: "BadRequest",
          parameter: "until",
          message: 'until in the body must be a number; it was "tomorrow".'
        }
      ])
      expect(yield* post("[]")).toEqual([
        400,
        { _tag: "BadRequest", message: "the body must be an object; it was []." }
      ])
      expect(yield* post("{")).toMatchObject([400, { _tag: "BadRequest" }])
      expect(yield* post("{}", "text/plain")).toMatchObject([415, { _tag: "UnsupportedMediaType" }])
      expect(yield* post(JSON.stringify({ note: "x".repeat(5000) }))).toMatchObject([413, { _tag: "TooLarge" }])
    }))

  test("returns the same uptime in the list of uptimes, in the details of a target and in its samples", ({
    json,
    monitor
  }) =>
    Effect.gen(function* () {
      const [up, dead] = ["127.0.0.1:27015", "127.0.0.1:27016"].map((address) => monitor.find(address)!)
      const { uptime } = (yield* json(`/api/uptime?targets=${up!.id},${dead!.id},999`)) as {
        uptime: Record<string, Record<string, { share: number; upMs: number; downMs: number }>>
      }
      expect(Object.keys(uptime)).toEqual([`${up!.id}`, `${dead!.id}`])
      expect(Object.keys(uptime[up!.id]!)).toEqual(["24h", "7d", "30d", "90d"])
      const time = up!.known.hour!.totalTime()
      assert.isAtLeast(time.up, 10_000)
      for (const period of Object.values(uptime[up!.id]!)) {
        expect(period).toMatchObject({ upMs: time.up, downMs: 0, mutedMs: 0, share: 1 })
      }
      expect(uptime[dead!.id]!["24h"]).toMatchObject({ upMs: 0, share: 0 })
      const one = (yield* json(`/api/targets/${dead!.id}`)) as { uptime: object; downIntervalMs: number }
      expect(one).toMatchObject({ uptime: uptime[dead!.id], downIntervalMs: 5000 })
      const { samples } = (yield* json(`/api/targets/${dead!.id}/samples`)) as {
        samples: ReadonlyArray<{ downMs: number }>
      }
      assert.strictEqual(
        samples.reduce((sum, { downMs }) => sum + downMs, 0),
        uptime[dead!.id]!["24h"]!.downMs
      )
    }))

  test("returns badges that show players, uptime or maintenance", ({ get, monitor }) =>
    Effect.gen(function* () {
      const badge = (query: string, address = "127.0.0.1:27015") => get(`/badge/${address}.svg${query}`)
      expect((yield* badge("")).body).toContain(`>${info.players}/`)
      expect((yield* badge("?uptime=30d")).body).toContain(">100.00 % up, 30d<")
      expect((yield* badge("?uptime=24h", "127.0.0.1:27016")).body).toContain(">0.00 % up, 24h<")
      const wrong = yield* badge("?uptime=1y")
      assert.strictEqual(wrong.status, 400)
      expect(JSON.parse(wrong.body)).toMatchObject({
        _tag: "BadRequest",
        parameter: "uptime",
        message: 'uptime in the query must be one of "24h", "7d", "30d", "90d"; it was "1y".'
      })
      for (const address of ["127.0.0.1:1", "127.0.0.1:27015.svg"]) {
        const none = yield* badge("", address)
        assert.strictEqual(none.status, 404)
        expect(JSON.parse(none.body)).toMatchObject({ _tag: "NoTarget", message: "There is no such target." })
      }
      yield* monitor.mute({ kind: "group", what: "all", from: 0, until: undefined, note: "" })
      expect((yield* badge("", "127.0.0.1:27016")).body).toContain(">maintenance<")
    }))

  test(
    "if the store cannot be read, the API returns an error for the uptime, but still shows the state of a server",
    ({ get, monitor }) =>
      Effect.gen(function* () {
        const { id } = monitor.find("127.0.0.1:27015")!
        for (const path of ["/badge/127.0.0.1:27015.svg?uptime=30d", `/api/uptime?targets=${id}`]) {
          const { body, status } = yield* get(path)
          assert.strictEqual(status, 503, path)
          expect(JSON.parse(body)).toMatchObject({
            _tag: "NoHistory",
            message: expect.stringMatching(/^The monitor cannot read its store now\./) as string
          })
        }
        for (const path of ["/badge/127.0.0.1:27015.svg", `/api/targets/${id}`]) {
          assert.strictEqual((yield* get(path)).status, 200, path)
        }
      }),
    {},
    (store) => ({ ...store, stateTime: () => Effect.fail(new StoreFailed({ message: "The disk is broken." })) })
  )

  test("shows the start, the reason and the players of each incident, and whether the incident is ongoing", ({
    get,
    json,
    monitor,
    pass,
    serve
  }) =>
    Effect.gen(function* () {
      const { id, known } = monitor.find("127.0.0.1:27016")!
      const read = (query: string) =>
        json(`/api/incidents?${query}`) as Effect.Effect<{ incidents: ReadonlyArray<object>; next?: string }>
      const ongoing = { target: id, address: "127.0.0.1:27016", group: "all", from: known.stateAt, isOngoing: true }
      expect(yield* read("")).toEqual({ incidents: [expect.objectContaining({ ...ongoing, reason: "Timeout" })] })
      for (const none of ["ongoing=false", "group=evil", `target=${id + 1}`, `to=${known.stateAt}`]) {
        expect(yield* read(none)).toEqual({ incidents: [] })
      }
      const first = known.stateAt
      const { stop } = yield* serve(27_016)
      yield* pass(7)
      const players = known.last!.summary.players
      yield* stop
      yield* pass(20)
      expect((yield* read("")).incidents).toMatchObject([
        { isOngoing: true, players, map: info.map, isMuted: false },
        { from: first, isOngoing: false }
      ])
      const page = yield* read("limit=1")
      expect(page).toMatchObject({ incidents: [{ isOngoing: true }], next: expect.stringMatching(/^\d+-\d+$/) })
      expect(yield* read(`after=${page.next}`)).toMatchObject({ incidents: [{ from: first }] })
      expect(yield* read("ongoing=true&limit=5")).toMatchObject({ incidents: [{ isOngoing: true }] })
      assert.strictEqual((yield* get("/api/incidents?after=x")).status, 400)
    }))

  test("exports incidents, changes and samples as NDJSON and CSV", ({ get, monitor, pass, serve, url }) =>
    Effect.gen(function* () {
      yield* serve(27_016, { ...css, info: { ...info, name: '=HYPERLINK("x"),"' } })
      yield* pass(10)
      const exported = (query: string) =>
        Effect.map(get(`/api/export/${query}`), ({ body }) => body.trimEnd().split("\n"))
      const [head, incident, ...others] = yield* exported("incidents?format=csv")
      assert.strictEqual(others.length, 0)
      assert.isTrue(head!.startsWith("address,group,name,from,noticedAt,to,durationMs,isOngoing,reason"))
      const { id, known } = monitor.find("127.0.0.1:27016")!
      expect(incident).toMatch(/^127\.0\.0\.1:27016,all,"'=HYPERLINK\(""x""\),""",20\d\d-/)
      expect(incident).toContain(`,${new Date(known.stateAt).toISOString()},`)
      const json = (yield* exported(`incidents?target=${id}`)).map((line) => JSON.parse(line) as object)
      expect(json).toMatchObject([{ target: id, isOngoing: false, reason: "Timeout" }])
      expect(yield* exported("changes?format=csv&group=all")).toHaveLength(3)
      const samples = (yield* exported("samples?group=all")).map((line) => JSON.parse(line) as object)
      expect(samples).toMatchObject([
        {
          address: "127.0.0.1:27015",
          upMs: monitor.find("127.0.0.1:27015")!.known.hour!.totalTime().up,
          playersMax: 26
        },
        { address: "127.0.0.1:27016" }
      ])
      expect(yield* exported("incidents?format=csv&from=2020-01-01&to=2020-02-01")).toEqual([head])
      for (const wrong of ["format=xml", "from=x", "target=x"]) {
        const { body, status } = yield* get(`/api/export/incidents?${wrong}`)
        assert.strictEqual(status, 400)
        expect(JSON.parse(body)).toMatchObject({ _tag: "BadRequest", parameter: wrong.split("=")[0] })
      }
      assert.strictEqual((yield* get("/api/export/incidents?group=nobody")).status, 404)
      const packed = yield* Effect.promise(() => fetch(`${url}/api/export/samples?format=csv`))
      expect(packed.headers.get("content-encoding")).toBe("gzip")
      expect(packed.headers.get("content-disposition")).toBe('attachment; filename="samples.csv"')
    }))

  test("reports the availability and the incidents of each group, and lists the worst server of a group first", ({
    json,
    monitor,
    pass,
    serve
  }) =>
    Effect.gen(function* () {
      yield* serve(27_016)
      yield* pass(10)
      const [one, two] = ["127.0.0.1:27015", "127.0.0.1:27016"].map((address) => monitor.find(address)!)
      const times = [one!, two!].map(({ known }) => known.hour!.totalTime())
      const report = (yield* json("/api/report?group=all")) as { groups: ReadonlyArray<{ share: number }> }
      const up = times[0]!.up + times[1]!.up
      const down = times[1]!.down
      assert.isAbove(down, 10_000)
      expect(report).toMatchObject({
        groups: [
          {
            group: "all",
            upMs: up,
            downMs: down,
            share: up / (up + down),
            incidents: 1,
            longestMs: down,
            servers: [
              { address: "127.0.0.1:27016", incidents: 1, downMs: down },
              { address: "127.0.0.1:27015", incidents: 0, downMs: 0, share: 1 }
            ]
          }
        ]
      })
      expect(yield* json("/api/report?from=0&to=3600000")).toMatchObject({
        from: 0,
        to: 3_600_000,
        groups: [{ group: "all", incidents: 0, unmonitoredMs: 7_200_000 }, { group: "evil" }]
      })
    }))

  test("mutes a group, and the muted time of its servers is neither up time nor down time", ({
    json,
    monitor,
    pass,
    url
  }) =>
    Effect.gen(function* () {
      const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
        Effect.promise(async () => {
          const response = await fetch(url + path, {
            method: body === undefined ? "DELETE" : "POST",
            headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as { id: number }) }
        })
      const target = monitor.find("127.0.0.1:27016")!
      for (const [body, headers] of [
        [{}],
        [{ address: "127.0.0.1:1" }],
        [{ group: "nobody" }],
        [{ group: "all", address: "127.0.0.1:27016" }],
        [{ group: "all", until: 5 }]
      ] as ReadonlyArray<readonly [object, Record<string, string>?]>) {
        assert.strictEqual((yield* send("/api/mutes", body, headers)).status, 422, JSON.stringify(body))
      }
      const foreign = { origin: "http://evil.example" }
      assert.strictEqual((yield* send("/api/mutes", { group: "all" }, foreign)).status, 403)
      const muted = yield* send("/api/mutes", { group: "all", note: "moving" })
      assert.strictEqual(muted.status, 201)
      expect(yield* json("/api/mutes")).toEqual([muted.body])
      const since = target.known.hour!.totalTime()
      yield* pass(20)
      expect(yield* json(`/api/targets/${target.id}`)).toMatchObject({
        target: { state: "down", muted: { by: "mute", note: "moving" } }
      })
      expect(yield* json("/api/overview")).toMatchObject({ up: 1, down: 0, muted: 2 })
      expect(yield* json("/api/targets?state=muted")).toMatchObject({ total: 2 })
      expect(yield* json("/api/targets?state=down")).toMatchObject({ total: 0 })
      const time = target.known.hour!.totalTime()
      assert.isAtLeast(time.muted, 15_000)
      assert.closeTo(time.down, since.down, 5000)
      assert.strictEqual((yield* send(`/api/mutes/${muted.body!.id}`, undefined, foreign)).status, 403)
      assert.strictEqual((yield* send(`/api/mutes/${muted.body!.id}`)).status, 204)
      assert.strictEqual((yield* send("/api/mutes/999")).status, 404)
      expect(yield* json("/api/mutes")).toEqual([])
      yield* pass(2)
      expect(yield* json("/api/targets?state=down")).toMatchObject({ total: 1 })
    }))

  test("sends a change only once to a client that reconnects before the change is stored", ({
    monitor,
    pass,
    serve,
    store,
    url
  }) =>
    Effect.gen(function* () {
      yield* pass(3)
      yield* serve(27_016)
      const [newest] = yield* store.changes({ limit: 1 })
      while (monitor.writer.waiting === 0) yield* pass(0.05, 0.05)
      expect((yield* store.changes({ limit: 1 }))[0]?.id).toBe(newest?.id)
      const text = yield* Effect.promise(async () => {
        const headers = { "last-event-id": String(newest?.id ?? 0) }
        const { body } = await fetch(`${url}/api/events`, { headers })
        let read = ""
        for await (const part of body!.pipeThrough(new TextDecoderStream())) {
          read += part
          if (read.includes('"to":"up"')) break
        }
        return read
      })
      expect(text.match(/^id: /gm)).toHaveLength(1)
    }))

  test("sends new events, and sends missed events to a client that reconnects", ({ monitor, pass, serve, url }) =>
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
      yield* pass(7)
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

describe("the metrics for Prometheus", () => {
  test("are valid even if a server's name contains special characters, and omit the player counts of a server that is down", ({
    get
  }) =>
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
      // If a server is down, its only metric is `sourcewire_server_up`, and its player counts are omitted.
      const dead = body.split("\n").filter((line) => line.includes('"127.0.0.1:27016"'))
      assert.deepStrictEqual(dead, ['sourcewire_server_up{target="127.0.0.1:27016",group="all",region="eu"} 0'])
      assert.strictEqual(body.split("\n").filter((line) => line.includes('"127.0.0.1:27015"')).length, 7)
    }))

  test("can be limited to one group, can be compressed, and contain no names and no maps if the setting `metrics.names` is false", ({
    get,
    monitor,
    url
  }) =>
    Effect.gen(function* () {
      const { body } = yield* get("/metrics?group=evil")
      expect(body).toContain('sourcewire_server_up{target="127.0.0.1:27017"')
      expect(body).not.toMatch(/27015|27016|sourcewire_monitor/)
      expect(yield* get("/metrics?group=nobody")).toMatchObject({ status: 404 })
      const packed = yield* Effect.promise(() => fetch(`${url}/metrics`))
      expect(packed.headers.get("content-encoding")).toBe("gzip")
      expect(packed.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
      yield* monitor.follow(planFor({ ...PLAN.config, metrics: { names: false } }))
      const line = (yield* get("/metrics")).body.split("\n").find((line) => line.startsWith("sourcewire_server_info{"))
      expect(line).toBe(
        `sourcewire_server_info{target="127.0.0.1:27015",group="all",region="eu",game="css",version="${info.version}"} 1`
      )
    }))

  test("the API returns samples in steps of five minutes if the period is at most two days, otherwise in steps of an hour", ({
    json,
    monitor
  }) =>
    Effect.gen(function* () {
      const { id } = monitor.find("127.0.0.1:27015")!
      const to = 1_795_000_000_000
      const readStep = (spanMs: number) =>
        Effect.map(
          json(`/api/targets/${id}/samples?from=${to - spanMs}&to=${to}`),
          (found) => (found as { stepMs: number }).stepMs
        )
      const twoDays = 2 * 24 * 3_600_000
      assert.deepStrictEqual(
        [yield* readStep(twoDays - 1), yield* readStep(twoDays), yield* readStep(twoDays + 1)],
        [300_000, 300_000, 3_600_000]
      )
    }))

  test("the path /probe returns the metrics of a monitored or allowed target, and rejects other targets", ({
    get,
    pass,
    serve
  }) =>
    Effect.gen(function* () {
      const { server } = yield* serve(27_020)
      const probe = (query: string) => get(`/probe?${query}`)
      const { body } = yield* probe("target=127.0.0.1:27015")
      assert.include(body, "probe_success 1\n")
      for (const line of [
        "# HELP probe_success 1 if the server replied to the last query, otherwise 0.",
        "# TYPE probe_success gauge",
        "# HELP probe_duration_seconds Duration of this probe.",
        "# TYPE probe_duration_seconds gauge"
      ]) {
        assert.include(body, `${line}\n`)
      }
      // The metrics at /probe have other names than the metrics at /metrics. If the names were equal, a sum in Prometheus could count a
      // server twice.
      assert.include(
        body,
        `sourcewire_probe_players{target="127.0.0.1:27015",group="all",region="eu"} ${info.players}\n`
      )
      assert.notInclude(body, "sourcewire_server_")
      assert.include((yield* probe("target=127.0.0.1:27016")).body, "probe_success 0\n")
      const allowed = yield* Effect.forkChild(probe("target=127.0.0.1:27020&module=info"))
      while (server.counters().replies < 2) yield* pass(0.01, 0.01)
      // The monitor waits some milliseconds for more results before it processes a batch.
      yield* pass(0.2, 0.01)
      assert.include((yield* Fiber.join(allowed)).body, "probe_success 1\n")
      for (const target of ["192.0.2.1:27015", "other.example:27015"]) {
        assert.strictEqual((yield* probe(`target=${target}`)).status, 403)
      }
      for (const query of ["", "target=", "target=1.2.3", "target=127.0.0.1&module=icmp"]) {
        assert.strictEqual((yield* probe(query)).status, 400, query)
      }
    }))

  test("the path /probe replies for a host name whose numeric address is being probed", (pages) =>
    Effect.gen(function* () {
      const { get, monitor, pass, serve } = pages
      const { server } = yield* serve(27_020)
      yield* monitor.follow(
        planFor({
          groups: [{ name: "named", targets: ["named.example:27020"], intervalMs: 86_400_000 }],
          probe: { allow: ["127.0.0.1"] }
        })
      )
      const probes = ["127.0.0.1:27020", "named.example:27020"].map((target) => get(`/probe?target=${target}`))
      const both = yield* Effect.forkChild(Effect.all(probes, { concurrency: "unbounded" }))
      while (server.counters().replies < 2) yield* pass(0.1, 0.01)
      yield* pass(1, 0.01)
      const [numeric, named] = yield* Fiber.join(both)
      assert.include(numeric!.body, 'probe_players{target="127.0.0.1:27020"')
      assert.include(named!.body, 'probe_players{target="named.example:27020",group="named"')
    }))

  test("the API lists the targets for service discovery", ({ json }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* json("/targets?group=all"), [
        { targets: ["127.0.0.1:27015", "127.0.0.1:27016"], labels: { group: "all", region: "eu" } }
      ])
    }))
})

describe("a group's status page", () => {
  const sharing = (publicStatus: boolean | readonly [string, ...Array<string>]) =>
    planFor({ ...PLAN.config, publicStatus })
  const token = "0123456789abcdef"
  const headers = { authorization: `Bearer ${token}` }

  test(
    "requires a token if it is not public, and can be embedded only if it is public",
    ({ get, monitor, url }) =>
      Effect.gen(function* () {
        const statuses = (given: Record<string, string> = {}) =>
          Effect.forEach(["/status/all", "/embed/all", "/status/evil", "/embed/evil"], (path) =>
            Effect.map(get(path, given), ({ status }) => status)
          )
        expect(yield* statuses()).toEqual([401, 401, 401, 401])
        expect(yield* statuses(headers)).toEqual([200, 404, 200, 404])
        yield* monitor.follow(sharing(["all"]))
        expect(yield* statuses()).toEqual([200, 200, 401, 401])
        // Other spellings of a path do not give access to pages that are not public.
        for (const path of [
          "/status/%65vil",
          "/status/all/../evil",
          "/status/all%2f..%2fevil",
          "/embed/EVIL",
          "/status/"
        ]) {
          expect([path, (yield* get(path)).status]).not.toEqual([path, 200])
        }
        expect((yield* get("/api/targets")).status).toBe(401)
        expect((yield* get("/status/nobody", headers)).status).toBe(404)
        yield* monitor.follow(sharing(true))
        expect(yield* statuses()).toEqual([200, 200, 200, 200])
        const [page, frame] = yield* Effect.promise(() =>
          Promise.all(["/status/all", "/embed/all"].map((path) => fetch(url + path)))
        )
        expect(page!.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
        expect(frame!.headers.get("content-security-policy")).toContain("frame-ancestors *")
        expect(frame!.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
        expect(page!.headers.get("cross-origin-resource-policy")).toBe("same-origin")
      }),
    { access: { token } }
  )

  test("shows states, players and uptime of its servers, but contains no scripts, links or external content", ({
    get,
    monitor,
    url
  }) =>
    Effect.gen(function* () {
      const { body } = yield* get("/status/all")
      expect(body).toContain("1 server down, 1 server up.")
      expect(body).toContain(`${info.players}/${info.maxPlayers}`)
      expect(body).toContain("100.00 %")
      expect(body).toMatch(/<svg[^>]*aria-label="Down in 1 of the last 24 hours"/)
      // The page shows neither the reason of the outage nor the system's error code.
      expect(body).not.toMatch(/ECONN|No reply|Timeout/)
      const policy = (yield* Effect.promise(() => fetch(`${url}/status/all`))).headers.get("content-security-policy")!
      const [, style] = /<style>([^]*)<\/style>/.exec(body)!
      expect(policy).toBe(
        `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style!).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
      )
      expect(body).not.toMatch(/<script|style="|src=|href=/)
      expect((yield* get("/status/all?theme=dark")).body).toContain('<html lang="en" data-theme="dark">')
      expect((yield* get("/status/all?theme=%22onload=")).body).toContain('<html lang="en">')
      expect(body).not.toContain("refresh")
      expect((yield* get("/status/all?refresh=60")).body).toContain('<meta http-equiv="refresh" content="60">')
      expect((yield* get("/status/all?refresh=0;url=x")).body).not.toContain("http-equiv")
      yield* monitor.mute({ kind: "group", what: "evil", from: 0, until: undefined, note: "" })
      const evil = (yield* get("/status/evil")).body
      expect(evil).toContain("<bdi>a&#34;b\\c␊�␛[31m</bdi>")
      expect(evil).toContain("1 server under maintenance")
      yield* monitor.follow(planFor([{ name: "none", targets: [] }]))
      expect((yield* get("/status/none")).body).toContain("This group has no servers.")
    }))
})

test("the API reports a failure of the store without the cause and without the address of the store", ({
  get,
  monitor
}) =>
  Effect.gen(function* () {
    const secret = "connect ECONNREFUSED db.internal:5432"
    monitor.writer.error = secret
    for (const path of ["/api/overview", "/health", "/api/fleet"]) {
      const { body } = yield* get(path)
      expect([path, body]).toEqual([path, expect.stringContaining("cannot write to its store")])
      expect(body).not.toContain("ECONNREFUSED")
    }
    monitor.writer.error = undefined
  }))

describe("access", () => {
  const token = "0123456789abcdef"
  const users = { eve: hashSync("right", 4) }
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`

  it.each([
    ["refused to a request without credentials", "", "unknown"],
    ["granted to a request with the token", `Bearer ${token}`, "welcome"],
    ["refused to a request with a wrong token", `Bearer ${token}x`, "unknown"],
    ["granted to a request with a name and its password", basic("eve:right"), "welcome"],
    ["refused to a request with a wrong password", basic("eve:wrong"), "unknown"],
    ["refused to a request with an unknown name", basic("adam:right"), "unknown"],
    ["refused to a request with an unknown name that is a property of every object", basic("constructor:x"), "unknown"],
    ["refused to a request with a password but no colon", basic("eve"), "unknown"],
    ["refused to a request with an unknown scheme", "Digest x", "unknown"]
  ])("is %s", async (_, authorization, verdict) => {
    const gate = makeGate({ token, users })
    expect(await gate({ authorization })).toBe(verdict)
    expect(await gate({ authorization })).toBe(verdict)
  })

  it("is refused without a password check while too many other passwords are being checked", async () => {
    const gate = makeGate({ users })
    const tries = Array.from({ length: 20 }, (_, i) => gate({ authorization: basic(`eve:${i}`) }))
    const verdicts = await Promise.all(tries)
    expect(verdicts.filter((verdict) => verdict === "busy")).toHaveLength(16)
    expect(await gate({ authorization: basic("eve:right") })).toBe("welcome")
  })

  it("is granted to a request with the token while many clients guess passwords", async () => {
    const gate = makeGate({ token, users })
    const tries = Array.from({ length: 20 }, (_, i) => gate({ authorization: basic(`eve:${i}`) }))
    expect(await gate({ authorization: basic(`anyone:${token}`) })).toBe("welcome")
    expect(await gate({ authorization: `Bearer ${token}` })).toBe("welcome")
    expect(await Promise.all(tries)).toContain("busy")
  })

  it("is granted to a request with an already accepted password while many clients guess passwords", async () => {
    const gate = makeGate({ users })
    expect(await gate({ authorization: basic("eve:right") })).toBe("welcome")
    const tries = Array.from({ length: 20 }, (_, i) => gate({ authorization: basic(`eve:${i}`) }))
    expect(await gate({ authorization: basic("eve:right") })).toBe("welcome")
    expect(await gate({ authorization: basic("bob:right") })).toBe("busy")
    expect(await Promise.all(tries)).toContain("busy")
  })

  it("is granted without another password check to the 64 users whose passwords were accepted last", async () => {
    const hash = hashSync("right", 4)
    const gate = makeGate({ users: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`u${i}`, hash])) })
    for (let i = 0; i < 65; i++) expect(await gate({ authorization: basic(`u${i}:right`) })).toBe("welcome")
    const tries = Array.from({ length: 4 }, (_, i) => gate({ authorization: basic(`u1:${i}`) }))
    expect(await gate({ authorization: basic("u1:right") })).toBe("welcome")
    expect(await gate({ authorization: basic("u0:right") })).toBe("busy")
    await Promise.all(tries)
    expect(await gate({ authorization: basic("u0:right") })).toBe("welcome")
  })

  it("the check of a password needs similar CPU time for every user name, even if the users' hashes have different bcrypt costs", async () => {
    const gate = makeGate({ users: { cheap: hashSync("right", 4), dear: hashSync("right", 10) } })
    // The test measures CPU time, because this time does not depend on other programs on the machine.
    const measureWork = async (name: string): Promise<number> => {
      const before = process.cpuUsage()
      for (let i = 0; i < 3; i++) expect(await gate({ authorization: basic(`${name}:wrong`) })).toBe("unknown")
      return process.cpuUsage(before).user
    }
    await measureWork("dear")
    const dear = await measureWork("dear")
    // A hash of cost 10 needs 64 times the work of a hash of cost 4. Therefore the monitor computes additional hashes for a user with a
    // cheap hash, and for an unknown user name.
    expect(await measureWork("cheap")).toBeGreaterThan(dear / 4)
    expect(await measureWork("nobody")).toBeGreaterThan(dear / 4)
  })

  it.each([
    ["127.0.0.1:9155", "welcome"],
    ["localhost:9155", "welcome"],
    ["[::1]:9155", "welcome"],
    ["evil.example:9155", "foreign"],
    ["localhost.evil.example", "foreign"],
    ["127.0.0.1.evil.example", "foreign"],
    ["evil.example.localhost", "foreign"],
    ["", "foreign"]
  ])(
    "if no password is configured, the result for a request with the header `Host: %s` is: %s",
    async (host, verdict) => {
      expect(await makeGate({})({ host })).toBe(verdict)
    }
  )

  test(
    "requires the token on every path except /live and /ready",
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

  test(
    "requires no token on the paths of badges if `publicBadges` is true",
    ({ get, monitor }) =>
      Effect.gen(function* () {
        const paths = ["/badge/127.0.0.1:27015.svg", "/badge/127.0.0.1:27015.svg?uptime=30d", "/api/targets"]
        const statuses = Effect.forEach(paths, (path) => Effect.map(get(path), ({ status }) => status))
        expect(yield* statuses).toEqual([401, 401, 401])
        yield* monitor.follow(planFor({ ...PLAN.config, publicBadges: true }))
        expect(yield* statuses).toEqual([200, 200, 401])
        yield* monitor.follow(planFor({ ...PLAN.config, publicBadges: false }))
        expect(yield* statuses).toEqual([401, 401, 401])
      }),
    { access: { token } }
  )

  test("a request to change targets or webhooks is rejected if the monitor has no list of its own", ({ url }) =>
    Effect.gen(function* () {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        const { status } = yield* Effect.promise(() => fetch(`${url}/api/targets`, { method }))
        assert.include([404, 405, 415], status)
      }
      const headers = { "content-type": "application/json" }
      for (const [method, path, body] of [
        ["POST", "targets", { address: "127.0.0.1:1" }],
        ["POST", "targets/many", { addresses: ["127.0.0.1:1"] }],
        ["POST", "targets/preview", { addresses: ["127.0.0.1:1"] }],
        ["PATCH", "targets/1", { name: "x" }],
        ["POST", "webhooks", { name: "x", url: "https://example.org" }],
        ["DELETE", "webhooks/x", undefined]
      ] as const) {
        const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
        const response = yield* Effect.promise(() => fetch(`${url}/api/${path}`, sent))
        const problem = (yield* Effect.promise(() => response.json())) as object
        expect([path, response.status, problem]).toEqual([path, 404, expect.objectContaining({ _tag: "NoList" })])
      }
    }))
})

describe("the monitor's own list", () => {
  const calls: Array<ReadonlyArray<unknown>> = []
  const broken = { message: "The file cannot be written." }
  /** Records a call. If the arguments of the call contain `broken`, the returned effect fails. */
  const record = <A>(result: A, ...call: ReadonlyArray<unknown>): Effect.Effect<A, { readonly message: string }> =>
    Effect.suspend(() => {
      calls.push(call)
      return JSON.stringify(call).includes("broken") ? Effect.fail(broken) : Effect.succeed(result)
    })
  const list: TargetList = {
    add: (servers) =>
      record(
        servers.addresses.includes("no address")
          ? { added: [], rejected: [{ text: "no address", message: "It is not an address." }] }
          : { added: servers.addresses.map((text) => ({ text, address: `${text}:27015` })), rejected: [] },
        "add",
        servers
      ),
    remove: (address) => record({ text: address, group: "all" }, "remove", address),
    edit: (address, edit) => record(undefined, "edit", address, edit),
    addWebhook: (webhook) => record(undefined, "addWebhook", webhook),
    removeWebhook: (name) => record(undefined, "removeWebhook", name)
  }

  test(
    "can be changed over HTTP, and a rejected change returns an error",
    ({ json, monitor, url }) =>
      Effect.gen(function* () {
        const send = (method: string, path: string, body?: unknown) =>
          Effect.promise(async () => {
            const headers = { "content-type": "application/json" }
            const sent = body === undefined ? {} : { body: JSON.stringify(body) }
            const response = await fetch(`${url}/api/${path}`, { method, headers, ...sent })
            const text = await response.text()
            const { _tag, ...rest } = (text === "" ? {} : JSON.parse(text)) as { readonly _tag?: string }
            return _tag === undefined ? [response.status, rest] : [response.status, _tag]
          })
        const { id } = monitor.find("127.0.0.1:27015")!
        calls.length = 0
        assert.deepInclude(yield* json("/api/overview"), { adds: true })
        assert.deepStrictEqual(yield* send("POST", "targets", { address: "192.0.2.1" }), [
          201,
          { address: "192.0.2.1:27015" }
        ])
        assert.deepStrictEqual(yield* send("POST", "targets", { address: "no address" }), [422, "NotAdded"])
        assert.deepStrictEqual(yield* send("POST", "targets", { address: "broken" }), [422, "NotAdded"])
        const many = { addresses: ["192.0.2.1"], group: "eu", labels: { region: "eu" }, names: { "192.0.2.1": "One" } }
        assert.deepStrictEqual(yield* send("POST", "targets/many", many), [
          200,
          { added: [{ text: "192.0.2.1", address: "192.0.2.1:27015" }], rejected: [] }
        ])
        assert.deepStrictEqual(yield* send("DELETE", `targets/${id}`), [200, { text: "127.0.0.1:27015", group: "all" }])
        assert.deepStrictEqual(yield* send("DELETE", "targets/999"), [404, "NoTarget"])
        assert.deepStrictEqual(yield* send("PATCH", `targets/${id}`, { name: "One" }), [204, {}])
        assert.deepStrictEqual(yield* send("PATCH", `targets/${id}`, { name: "broken" }), [422, "Unfit"])
        const webhook = { name: "chat", url: "https://chat.example/secret" }
        assert.deepStrictEqual(yield* send("POST", "webhooks", webhook), [204, {}])
        assert.deepStrictEqual(yield* send("POST", "webhooks", { ...webhook, name: "broken" }), [422, "Unfit"])
        assert.deepStrictEqual(yield* send("DELETE", "webhooks/none"), [404, "NoWebhook"])
        assert.deepStrictEqual(
          calls.filter((call) => !JSON.stringify(call).includes("broken")),
          [
            ["add", { addresses: ["192.0.2.1"] }],
            ["add", { addresses: ["no address"] }],
            ["add", many],
            ["remove", "127.0.0.1:27015"],
            ["edit", "127.0.0.1:27015", { name: "One" }],
            ["addWebhook", webhook]
          ]
        )
      }),
    { list }
  )

  test(
    "a preview of new addresses shows which of them reply, are already monitored, or are invalid",
    ({ pass, serve, url }) =>
      Effect.gen(function* () {
        yield* serve(27_020)
        const addresses = ["127.0.0.1:27015", " 127.0.0.1:27020", "127.0.0.1:27021", "a b"]
        const asking = yield* Effect.forkChild(
          Effect.promise(async () => {
            const headers = { "content-type": "application/json" }
            const body = JSON.stringify({ addresses })
            const response = await fetch(`${url}/api/targets/preview`, { method: "POST", headers, body })
            return response.json()
          })
        )
        while (asking.pollUnsafe() === undefined) yield* pass(0.1, 0.01)
        const [known, fresh, silent, invalid] = (yield* Fiber.join(asking)) as ReadonlyArray<object>
        const { map, maxPlayers, name, players } = info
        const server = { name, map, players, maxPlayers }
        expect(known).toMatchObject({ address: "127.0.0.1:27015", isKnown: true, ...server })
        expect(fresh).toMatchObject({ text: " 127.0.0.1:27020", address: "127.0.0.1:27020", isKnown: false, ...server })
        expect(silent).toMatchObject({
          isKnown: false,
          message: expect.stringMatching(/^No reply to A2S_INFO/) as string
        })
        expect(silent).not.toHaveProperty("name")
        expect(invalid).toEqual({ text: "a b", isKnown: false, message: expect.any(String) as string })
      }),
    { list }
  )

  test("the API shows webhooks without their secrets", ({ json, monitor }) =>
    Effect.gen(function* () {
      yield* monitor.follow(
        planFor({
          ...PLAN.config,
          webhooks: [
            { name: "chat", url: "https://chat.example/secret", format: "discord", events: ["down"], groups: ["all"] },
            { name: "other", urlFile: "/run/secrets/url" }
          ]
        })
      )
      assert.deepStrictEqual(yield* json("/api/webhooks"), [
        { name: "chat", format: "discord", host: "chat.example", events: ["down"], groups: ["all"] },
        { name: "other", format: "json", host: "(in a file)", events: ["up", "down"] }
      ])
    }))
})
