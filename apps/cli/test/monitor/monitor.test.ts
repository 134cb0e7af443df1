import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { hashSync } from "bcryptjs"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { objects, run, start } from "../runCli.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-monitor-"))
})
afterEach(() => rm(directory, { recursive: true }))

const write = async (name: string, content: unknown): Promise<string> => {
  const file = join(directory, name)
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}

/** Starts an emulated server, and returns the server and its address. */
const serving = async () => {
  const server = start(["serve", "--port", "0", "--json"])
  await server.printed("\n")
  return { server, address: String(objects(server.output().stdout)[0]!["listening"]) }
}

/** Starts the command `monitor` or `exporter`. Returns the process, and functions that read the pages of its HTTP server. */
const watching = async (command: "monitor" | "exporter", ...args: ReadonlyArray<string>) => {
  const watch = start([command, "--json", "--bind", "127.0.0.1:0", ...args], {
    env: { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
  })
  const end = await Promise.race([watch.printed("\n"), watch.ended])
  if (end !== undefined) throw new Error(`${command} ended: ${end.stderr}`)
  const url = String(objects(watch.output().stdout)[0]!["url"])
  const get = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await fetch(url + path, { headers })).text()
  const shows = (path: string, text: string) =>
    vi.waitUntil(async () => (await get(path)).includes(text), { timeout: 60_000, interval: 50 })
  return { watch, get, shows }
}

it.each([
  ["monitor", /^Querying 1 target\. Store: .*monitor\.db\. Open the address above, and press Ctrl-C to stop\.$/m],
  ["exporter", /^Querying 1 target\. No store: history is not kept\. Open the address above, .* Ctrl-C to stop\.$/m]
])("without --json, %s prints text, even if its output is a pipe", async (command, note) => {
  const watch = start([command, "--bind", "127.0.0.1:0", "127.0.0.1:1"], { env: { XDG_STATE_HOME: directory } })
  await watch.printedOnStderr("Ctrl-C")
  watch.child.kill("SIGTERM")
  const { exitCode, stderr, stdout } = await watch.ended
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  expect(stderr).toMatch(note)
  expect(exitCode).toBe(0)
})

it.each(["monitor", "exporter"] as const)("with --json, %s prints its URL as JSON", async (command) => {
  const { watch } = await watching(command, "127.0.0.1:1")
  const [line] = objects(watch.output().stdout)
  expect(line).toEqual({ listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/), url: expect.any(String), targets: 1 })
  expect(line!["url"]).toBe(`http://${String(line!["listening"])}`)
  watch.child.kill("SIGTERM")
  await watch.ended
})

describe("monitor", () => {
  it("queries a server immediately, and keeps the history of the server after a restart", async () => {
    const { address, server } = await serving()
    // The interval is very long, so that the monitor queries the server only once, at the start, even if the test is slow.
    const once = ["--interval", "86400000"]
    const first = await watching("monitor", address, ...once)
    await first.shows("/api/targets", '"state":"up"')
    expect(JSON.parse(await first.get("/api/overview"))).toMatchObject({ targets: 1, up: 1, history: true })
    const status = await run(["monitor", "status", "--json", String(objects(first.watch.output().stdout)[0]!["url"])])
    expect(objects(status.stdout)).toMatchObject([{ ok: true, self: true, slices: 300, targets: 1 }])
    expect(status.exitCode).toBe(0)
    first.watch.child.kill("SIGTERM")
    expect((await first.watch.ended).exitCode).toBe(0)
    server.child.kill()
    const second = await watching("monitor", address, ...once)
    expect(JSON.parse(await second.get("/api/targets/1/samples"))).toMatchObject({ samples: [{ answered: 1 }] })
    second.watch.child.kill("SIGTERM")
    await second.watch.ended
  })

  it("tries all query ports of a game, and stores the port that responds", async () => {
    const silent = createSocket("udp4")
    let asked = 0
    silent.on("message", () => void asked++)
    // Finds two free ports with consecutive numbers. The socket `silent` uses the first port. The server starts on the second port.
    const server = await vi.waitUntil(async () => {
      const probe = createSocket("udp4").bind(0, "127.0.0.1")
      await once(probe, "listening")
      const { port } = probe.address()
      probe.close()
      await once(probe, "close")
      return startServer({ transport: layer, profile: "css", port: port + 1 }).catch(() => undefined)
    })
    await using _ = server
    silent.bind(server.port - 1, "127.0.0.1")
    await once(silent, "listening")
    const first = `127.0.0.1:${server.port - 1}`
    await write("list.txt", `unturned:${first}\n`)
    const config = await write("monitor.json", {
      defaults: { intervalMs: 1000, timeoutMs: 500, retries: 1 },
      groups: [{ name: "listed", sources: [{ file: "list.txt" }] }]
    })
    const args = ["--config", config, "--store", join(directory, "ports.db")]
    const before = await watching("monitor", ...args)
    await before.shows("/api/targets", '"state":"up"')
    expect(JSON.parse(await before.get("/api/targets"))).toMatchObject({ targets: [{ address: first, state: "up" }] })
    expect(JSON.parse(await before.get("/api/targets/1"))).toMatchObject({ answer: { queryPort: server.port } })
    before.watch.child.kill("SIGTERM")
    await before.watch.ended
    expect(asked).toBeGreaterThan(0)
    // After a restart, the monitor queries only the stored port, and not the first candidate port.
    asked = 0
    const { requests } = server.counters()
    const after = await watching("monitor", ...args)
    await vi.waitUntil(() => server.counters().requests > requests + 3, { timeout: 60_000 })
    expect(asked).toBe(0)
    after.watch.child.kill("SIGTERM")
    await after.watch.ended
    silent.close()
    // A target on the command line can begin with the name of its game.
    const { port } = server
    const named = await watching("monitor", "--store", ":memory:", `unturned:127.0.0.1:${port - 1}`)
    await named.shows("/api/targets", '"state":"up"')
    named.watch.child.kill("SIGTERM")
    await named.watch.ended
  })

  it("without a configuration, stores its own list of targets; the monitor's page can change the list, but pages of other sites cannot", async () => {
    const { get, shows, watch } = await watching("monitor", "--store", ":memory:")
    expect(JSON.parse(await get("/api/overview"))).toMatchObject({ targets: 0, adds: true })
    const url = String(objects(watch.output().stdout)[0]!["url"])
    const add = async (address: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ address })
      const own = { "content-type": "application/json", origin: url, ...headers }
      const response = await fetch(`${url}/api/targets`, { method: "POST", headers: own, body })
      return [response.status, ((await response.json()) as { message?: string }).message ?? ""] as const
    }
    expect((await add("127.0.0.1:27015", { origin: "http://evil.example" }))[0]).toBe(403)
    expect((await add("127.0.0.1:27015", { "content-type": "text/plain" }))[0]).toBe(415)
    expect((await add("x".repeat(400)))[0]).toBe(400)
    expect(await add("169.254.0.1:27015")).toEqual([422, expect.stringContaining("Steam")])
    // If two requests change the list at the same time, the monitor stores both changes.
    const added = await Promise.all(["127.0.0.1:27015", " 127.0.0.1:27016 "].map((address) => add(address)))
    expect(added.map(([status]) => status)).toEqual([201, 201])
    expect(await add("127.0.0.1:27015")).toEqual([422, "127.0.0.1:27015 is already monitored."])
    await shows("/api/overview", '"targets":2')
    const { targets } = JSON.parse(await get("/api/targets")) as {
      targets: ReadonlyArray<{ id: number; address: string }>
    }
    const { id } = targets.find(({ address }) => address === "127.0.0.1:27016")!
    const remove = async (path: string, origin: string) => {
      const response = await fetch(url + path, { method: "DELETE", headers: { origin } })
      return [response.status, await response.text()] as const
    }
    expect((await remove(`/api/targets/${id}`, "http://evil.example"))[0]).toBe(403)
    expect((await remove("/api/targets/999", url))[0]).toBe(404)
    const removed = await Promise.all([remove(`/api/targets/${id}`, url), add("127.0.0.1:27017")])
    expect(removed.map(([status]) => status)).toEqual([200, 201])
    expect(JSON.parse(removed[0]![1])).toEqual({ text: "127.0.0.1:27016", group: "mine" })
    await vi.waitUntil(
      async () => {
        const list = await get("/api/targets")
        return list.includes("127.0.0.1:27017") && !list.includes("127.0.0.1:27016")
      },
      { timeout: 60_000, interval: 50 }
    )
    watch.child.kill("SIGTERM")
    await watch.ended
    const kept = JSON.parse(await readFile(join(directory, "sourcewire/monitor.json"), "utf8")) as object
    expect(kept).toMatchObject({ groups: [{ name: "mine", targets: ["127.0.0.1:27015", "127.0.0.1:27017"] }] })
  })

  it("replies with plain HTTP to a request for a WebSocket connection", async () => {
    const { get, watch } = await watching("monitor", "127.0.0.1:1", "--store", ":memory:")
    const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" }
    const key = { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" }
    const asked = request(`${String(objects(watch.output().stdout)[0]!["url"])}/live`, {
      headers: { ...headers, ...key }
    })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      asked.on("response", (response) => resolve(response.resume().statusCode))
      asked.on("upgrade", (response) => resolve(response.statusCode)).on("error", reject)
      asked.end()
    })
    expect(status).toBe(200)
    expect(await get("/live")).toContain("true")
    watch.child.kill("SIGTERM")
    await watch.ended
  })

  it("if the command line sets the targets, rejects requests to add a target", async () => {
    const { get, watch } = await watching("monitor", "127.0.0.1:1", "--store", ":memory:")
    expect(JSON.parse(await get("/api/overview"))).toMatchObject({ adds: false })
    const url = String(objects(watch.output().stdout)[0]!["url"])
    const headers = { "content-type": "application/json", origin: url }
    const { status } = await fetch(`${url}/api/targets`, { method: "POST", headers, body: '{"address":"127.0.0.1:2"}' })
    expect([404, 405]).toContain(status)
    watch.child.kill("SIGTERM")
    await watch.ended
  })

  it("reloads its configuration file, and keeps the old settings if the file is invalid", async () => {
    const group = (port: number) => ({ name: "all", targets: [`127.0.0.1:${port}`] })
    const file = await write("monitor.json", { groups: [group(27_015)] })
    const { shows, watch } = await watching("monitor", "--config", file, "--store", ":memory:")
    await write("monitor.json", { groups: [group(27_016)] })
    await shows("/targets", "27016")
    await write("monitor.json", { groups: [{ ...group(27_017), intervall: 5 }] })
    await watch.printedOnStderr("there is no setting groups[0].intervall")
    await shows("/targets", "27016")
    watch.child.kill("SIGTERM")
    await watch.ended
  })
})

describe("exporter", () => {
  it("reads a list file from the folder of its configuration file, and keeps the old list if the file becomes empty", async () => {
    await write("list.txt", "# ours\n127.0.0.1:27015\n")
    const file = await write("exporter.json", { groups: [{ name: "all", sources: [{ file: "list.txt" }] }] })
    const { get, shows, watch } = await watching("exporter", "--config", file)
    await shows("/targets", "127.0.0.1:27015")
    await shows("/api/sources", '"servers":1')
    expect(await get("/metrics")).toContain("sourcewire_monitor_source_whole{")
    await write("list.txt", "127.0.0.1:27015\n127.0.0.1:27016\n")
    await shows("/targets", "127.0.0.1:27016")
    // The file is empty, for example because the script that writes the file has failed.
    await write("list.txt", "")
    await shows("/metrics", 'sourcewire_monitor_source_rejected{group="all",source="file ')
    await shows("/api/sources", '"rejected":{"servers":0,"lost":2,')
    await shows("/api/overview", "The new list of group all")
    expect(await get("/targets")).toContain("127.0.0.1:27016")
    watch.child.kill("SIGTERM")
    await watch.ended
  })

  it("serves metrics only to clients that send the password", async () => {
    const { address, server } = await serving()
    const web = await write("web.json", { basic_auth_users: { prometheus: hashSync("secret", 4) } })
    const { get, watch } = await watching("exporter", "--web-config", web, address)
    const authorization = `Basic ${Buffer.from("prometheus:secret").toString("base64")}`
    await vi.waitUntil(async () => (await get("/metrics", { authorization })).includes("sourcewire_server_up{"), {
      timeout: 60_000,
      interval: 50
    })
    expect(await get("/metrics")).not.toContain("sourcewire")
    const status = await run(["monitor", "status", String(objects(watch.output().stdout)[0]!["url"])])
    expect(status).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("requires a token") })
    expect(await get(`/probe?target=${address}`, { authorization })).toContain("probe_success 1\n")
    watch.child.kill("SIGTERM")
    server.child.kill()
    await watch.ended
  })
})

describe("at the start", () => {
  it.each([
    [["exporter"], /No target given/],
    [["monitor", "127.0.0.1", "--bind", "0.0.0.0:9155"], /--bind 0\.0\.0\.0 is reachable from other hosts/],
    [["exporter", "127.0.0.1", "--config", "x.json"], /--config cannot be combined with addresses/],
    [["monitor", "--config", "missing.json"], /missing\.json: there is no such file/],
    [["monitor", "127.0.0.1", "--interval", "5"], /interval/]
  ])("%j is a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(args)
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })

  it("the command exits with 1 if the store cannot be opened or the port is in use", async () => {
    const refused = await run(["monitor", "127.0.0.1", "--store", join(directory, "no", "such.db")])
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^sourcewire: Cannot open the store .*such\.db: /)
    })
    const { server } = await serving()
    const { watch } = await watching("exporter", "127.0.0.1")
    const { url } = objects(watch.output().stdout)[0] as { url: string }
    const second = await run(["exporter", "127.0.0.1", "--bind", new URL(url).host])
    expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Cannot serve HTTP: .+ is in use/) })
    for (const { child } of [watch, server]) child.kill()
  })
})

describe("--store-file", () => {
  it("reads the name of the store from a file", async () => {
    const store = join(directory, "elsewhere.db")
    const { watch } = await watching("monitor", "127.0.0.1:1", "--store-file", await write("store", `${store}\n`))
    watch.child.kill("SIGTERM")
    await watch.ended
    expect((await readFile(store)).subarray(0, 6).toString()).toBe("SQLite")
  })

  it("cannot be combined with --store, and no error contains the password of the database", async () => {
    const file = await write("store", "postgres://monitor:hunter2@127.0.0.1:1/monitor")
    const away = await run(["monitor", "127.0.0.1:1", "--store-file", file])
    expect(away.exitCode).toBe(1)
    expect(away.stderr).toMatch(
      /Cannot (?:open|connect to) the store: the database refused the connection.*ECONNREFUSED/
    )
    expect(away.stderr + away.stdout).not.toContain("hunter2")
    const both = await run(["monitor", "127.0.0.1:1", "--store-file", file, "--store", "x"])
    expect(both).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--store and --store-file cannot be combined") as string
    })
  })
})
