/**
 * Tests the recipes of docs/how-to/show-servers-in-*.md with a running monitor. The requests of the recipes must succeed, and the replies
 * must contain the fields that the recipes use.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { parse } from "yaml"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import { type Running, objects, program, start } from "../runCli.ts"

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../../docs/how-to/show-servers-in-${name}.md`, import.meta.url), "utf8")
const kumaPage = readPage("uptime-kuma")

/** Returns the code blocks of a page in the specified language, including the indented code blocks in lists. */
const blocks = (page: string, language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^ *\`\`\`${language}\n([^]*?)^ *\`\`\`$`, "gm"))].map(([, text]) => text!)
const curl = externalProgram("curl", "curl")

const TOKEN = "0123456789abcdef"
const directory = mkdtempSync(join(tmpdir(), "sourcewire-dashboards-"))
let server: Awaited<ReturnType<typeof startServer>>
let monitor: Running
let url = ""
let address = ""

beforeAll(async () => {
  server = await startServer({ transport: layer, profile: profiles.css() })
  address = `127.0.0.1:${server.port}`
  writeFileSync(join(directory, "token"), TOKEN)
  const env = { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
  const files = ["--token-file", join(directory, "token"), "--store", join(directory, "monitor.db")]
  const config = blocks(readPage("homarr"), "json")[0]!.replace("192.0.2.10:27015", address)
  writeFileSync(join(directory, "monitor.json"), config)
  const words = ["--config", join(directory, "monitor.json"), "--json", "--bind", "127.0.0.1:0", ...files]
  monitor = start(["monitor", ...words], { env })
  await monitor.printed("\n")
  url = String(objects(monitor.output().stdout)[0]!["url"])
  await vi.waitFor(
    async () =>
      expect(at(await readBody("http://monitor:9155/api/targets?address=192.0.2.10:27015"), "targets.0.state")).toBe(
        "up"
      ),
    { timeout: 30_000, interval: 200 }
  )
}, 60_000)
afterAll(async () => {
  monitor.child.kill("SIGTERM")
  await monitor.ended
  await server.close()
  rmSync(directory, { recursive: true })
})

/** Sends a request that a page contains. Replaces the addresses in the request with the addresses of the test's monitor and server. */
const sendRequest = (text: string, token = TOKEN) => {
  const where = text.replace("http://monitor:9155/", `${url.replace(/\/$/, "")}/`).replace("192.0.2.10:27015", address)
  return fetch(where, { headers: { authorization: `Bearer ${token}` } })
}
const readBody = async (text: string): Promise<unknown> => (await sendRequest(text)).json()

/** Returns the value at a path such as `targets[0].state` or `targets.0.state`. */
const at = (value: unknown, path: string): unknown =>
  path
    .split(/[.[\]]+/)
    .filter((key) => key !== "")
    .reduce((inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key], value)

const readYaml = (name: string): unknown => parse(blocks(readPage(name), "yaml")[0]!)

interface Gatus {
  readonly endpoints: readonly [
    { readonly url: string; readonly headers: object; readonly conditions: ReadonlyArray<string> }
  ]
}
interface Widget {
  readonly url: string
  readonly headers: object
  readonly mappings: ReadonlyArray<{ readonly field: string }>
}
const gatus = readYaml("gatus") as Gatus
const homepage = readYaml("homepage") as readonly [Record<string, readonly [Record<string, { widget: Widget }>]>]

/** The body of a request to Kener's HTTP API. The request creates a monitor in Kener. */
interface Kener {
  readonly tag: string
  readonly name: string
  readonly cron: string
  readonly monitor_type: string
  readonly type_data: {
    readonly url: string
    readonly method: string
    readonly timeout: number
    readonly headers: ReadonlyArray<{ readonly key: string; readonly value: string }>
    readonly eval: string
  }
}

it("the JSON query of the Uptime Kuma recipe returns the state of the server", async () => {
  const [, request] = /\| URL \| `(.*?)` \|/.exec(kumaPage)!
  const [, query] = /\| Json Query \| `(.*?)` \|/.exec(kumaPage)!
  expect(at(await readBody(request!), query!)).toBe("up")
  expect((await sendRequest(request!, "wrong token 1234")).status).toBe(401)
})

it("the conditions of the Gatus recipe are true for the reply of the monitor", async () => {
  const [{ conditions, headers, url: request }] = gatus.endpoints
  expect(headers).toEqual({ Authorization: "Bearer TOKEN" })
  const response = await sendRequest(request)
  const body: unknown = await response.json()
  for (const condition of conditions) {
    const [, left, operator, right] = /^\[(\S+) (==|<) (\S+)$/.exec(condition)!
    const value = left === "STATUS]" ? response.status : at(body, left!.replace("BODY].", ""))
    expect({ condition, holds: operator === "==" ? String(value) === right : Number(value) < Number(right) }).toEqual({
      condition,
      holds: true
    })
  }
})

it("the reply of the monitor contains the fields of the Homepage recipe", async () => {
  const { headers, mappings, url: request } = homepage[0]["Game servers"]![0]["Dust"]!.widget
  expect(headers).toEqual({ Authorization: "Bearer TOKEN" })
  const body = await readBody(request)
  expect(mappings.map(({ field }) => at(body, field))).toEqual(["up", 26, "de_dust2"])
})

describe("the Kener recipe", () => {
  const request = JSON.parse(/<<'END'\n([^]*?)\nEND/.exec(readPage("kener"))![1]!) as Kener
  const { eval: text, headers, url: source } = request.type_data

  /** Evaluates a reply with the function of the recipe. Like Kener, this test passes four arguments to the function. */
  const judge = (status: number, body: string): unknown =>
    new Function("statusCode", "responseTime", "responseRaw", "modules", `return (${text})(...arguments);`)(
      status,
      12,
      body,
      {}
    )

  it("contains a request with the required fields", () => {
    expect(Object.keys(request)).toEqual(["tag", "name", "cron", "monitor_type", "type_data"])
    expect(request.tag).toMatch(/^[a-z0-9][a-z0-9_-]*[a-z0-9]$/)
    expect(request).toMatchObject({ monitor_type: "API", type_data: { method: "GET" } })
    expect(headers).toEqual([{ key: "Authorization", value: "Bearer TOKEN" }])
  })

  it("evaluates the reply of the monitor as UP, DEGRADED or DOWN", async () => {
    const body = await (await sendRequest(source)).text()
    expect(judge(200, body)).toEqual({ status: "UP", latency: expect.any(Number) as number })
    const [target] = (JSON.parse(body) as { readonly targets: readonly [object] }).targets
    const reply = (fields: object): string => JSON.stringify({ targets: [{ ...target, ...fields }] })
    expect(judge(200, reply({ players: 32, maxPlayers: 32 }))).toMatchObject({ status: "DEGRADED" })
    expect(judge(200, reply({ state: "down", rttMs: undefined }))).toEqual({ status: "DOWN", latency: 12 })
    expect(judge(200, '{"targets":[]}')).toMatchObject({ status: "DOWN" })
    expect(judge(401, "no JSON")).toMatchObject({ status: "DOWN" })
  })
})

it("another site can show the page of the Homarr recipe in a frame, and needs no token", async () => {
  const [, path] = /http:\/\/monitor:9155\/(embed\S+)/.exec(readPage("homarr"))!
  const response = await fetch(new URL(path!, url))
  expect(response.status).toBe(200)
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors *")
  expect(response.headers.get("x-frame-options")).toBeNull()
  expect(await response.text()).toContain("de_dust2")
})

it("the monitor exports all metrics that the Grafana recipe uses", async () => {
  const metrics = await (await sendRequest("http://monitor:9155/metrics")).text()
  const names = [...readPage("grafana").matchAll(/`(sourcewire_\w+)`/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !metrics.includes(`\n${name}{`))).toEqual([])
})

it.skipIf(curl === undefined)(
  "the script of the Uptime Kuma recipe sends a push message only if the server is healthy",
  async () => {
    const pushed: Array<string> = []
    const kuma = createServer((request, response) => {
      pushed.push(request.url!)
      response.end('{"ok":true}')
    })
    await new Promise<void>((resolve) => kuma.listen(0, "127.0.0.1", resolve))
    const bin = mkdtempSync(join(directory, "bin-"))
    writeFileSync(join(bin, "sourcewire"), `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`)
    chmodSync(join(bin, "sourcewire"), 0o755)
    const script = blocks(kumaPage, "sh")
      .find((text) => text.includes("/api/push/"))!
      .replace("https://kuma.example", `http://127.0.0.1:${(kuma.address() as AddressInfo).port}`)
    const push = (where: string) =>
      new Promise<number>((resolve) => {
        const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: bin }
        // The test does not block while the script runs, because the receiver of the push messages is part of this process.
        const child = start([], {
          through: ["env", `PATH=${env.PATH}`, `TMPDIR=${bin}`, "sh", "-c", script.replace("192.0.2.10:27015", where)]
        })
        void child.ended.then(({ exitCode }) => resolve(exitCode ?? -1))
      })
    expect(await push(address)).toBe(0)
    expect(pushed).toEqual(["/api/push/KEY?status=up&msg=OK"])
    expect(await push("127.0.0.1:1")).toBe(1)
    expect(pushed).toHaveLength(1)
    kuma.closeAllConnections()
    kuma.close()
  }
)
