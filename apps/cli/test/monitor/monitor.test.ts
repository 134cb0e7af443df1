import { hashSync } from "bcryptjs"
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

/** An emulated server, and where it listens. */
const serving = async () => {
  const server = start(["serve", "--port", "0", "--json"])
  await server.printed("\n")
  return { server, address: String(objects(server.output().stdout)[0]!["listening"]) }
}

/** A monitor or an exporter, and where it is. */
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

describe("monitor", () => {
  it("watches a server from nothing, and knows it again after a restart", async () => {
    const { address, server } = await serving()
    // Its turn is that of the start, however long the test takes.
    const once = ["--interval", "86400000"]
    const first = await watching("monitor", address, ...once)
    await first.shows("/api/targets", '"state":"up"')
    expect(JSON.parse(await first.get("/api/overview"))).toMatchObject({ targets: 1, up: 1, history: true })
    const status = await run(["monitor", "status", "--json", String(objects(first.watch.output().stdout)[0]!["url"])])
    expect(objects(status.stdout)).toMatchObject([{ ok: true, self: true, slices: 300, targets: 1 }])
    expect(status.exitCode).toBe(0)
    first.watch.child.kill("SIGTERM")
    expect((await first.watch.ended).exitCode).toBe(130)
    server.child.kill()
    const second = await watching("monitor", address, ...once)
    expect(JSON.parse(await second.get("/api/targets/1/samples"))).toMatchObject({ samples: [{ answered: 1 }] })
    second.watch.child.kill("SIGTERM")
    await second.watch.ended
  })

  it("keeps its own list where nobody says what to watch, and its page changes that, but no other page", async () => {
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
    expect((await add("127.0.0.1:27015", { "content-type": "text/plain" }))[0]).toBe(403)
    expect((await add("x".repeat(400)))[0]).toBe(400)
    expect(await add("169.254.0.1:27015")).toEqual([422, expect.stringContaining("Steam")])
    // Both at once, and neither is lost.
    const added = await Promise.all(["127.0.0.1:27015", " 127.0.0.1:27016 "].map((address) => add(address)))
    expect(added.map(([status]) => status)).toEqual([201, 201])
    expect(await add("127.0.0.1:27015")).toEqual([422, "127.0.0.1:27015 is watched already."])
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
    expect(removed.map(([status]) => status)).toEqual([204, 201])
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

  it("speaks no WebSocket", async () => {
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

  it("changes nothing where a file or the command line says what is watched", async () => {
    const { get, watch } = await watching("monitor", "127.0.0.1:1", "--store", ":memory:")
    expect(JSON.parse(await get("/api/overview"))).toMatchObject({ adds: false })
    const url = String(objects(watch.output().stdout)[0]!["url"])
    const headers = { "content-type": "application/json", origin: url }
    const { status } = await fetch(`${url}/api/targets`, { method: "POST", headers, body: '{"address":"127.0.0.1:2"}' })
    expect([404, 405]).toContain(status)
    watch.child.kill("SIGTERM")
    await watch.ended
  })

  it("follows its file, and stays as it was where that makes no sense", async () => {
    const group = (port: number) => ({ name: "all", targets: [`127.0.0.1:${port}`] })
    const file = await write("monitor.json", { groups: [group(27_015)] })
    const { shows, watch } = await watching("monitor", "--config", file, "--store", ":memory:")
    await write("monitor.json", { groups: [group(27_016)] })
    await shows("/targets", "27016")
    await write("monitor.json", { groups: [{ ...group(27_017), intervall: 5 }] })
    await watch.complained("there is no setting groups[0].intervall")
    await shows("/targets", "27016")
    watch.child.kill("SIGTERM")
    await watch.ended
  })
})

describe("exporter", () => {
  it("watches what a list beside its configuration says", async () => {
    await write("list.txt", "# ours\n127.0.0.1:27015\n")
    const file = await write("exporter.json", { groups: [{ name: "all", sources: [{ file: "list.txt" }] }] })
    const { get, shows, watch } = await watching("exporter", "--config", file)
    await shows("/targets", "127.0.0.1:27015")
    await shows("/api/sources", '"servers":1')
    expect(await get("/metrics")).toContain("sourcewire_monitor_source_whole{")
    await write("list.txt", "127.0.0.1:27016\n")
    await shows("/targets", "127.0.0.1:27016")
    watch.child.kill("SIGTERM")
    await watch.ended
  })

  it("tells Prometheus, to those who have the password", async () => {
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
    expect(status).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("wants a token") })
    expect(await get(`/probe?target=${address}`, { authorization })).toContain("probe_success 1\n")
    watch.child.kill("SIGTERM")
    server.child.kill()
    await watch.ended
  })
})

describe("what makes no sense", () => {
  it.each([
    [["exporter"], /nobody to ask/],
    [["monitor", "127.0.0.1", "--bind", "0.0.0.0:9155"], /Others can reach 0\.0\.0\.0: say who may read/],
    [["exporter", "127.0.0.1", "--config", "x.json"], /--config says what is watched/],
    [["monitor", "--config", "missing.json"], /missing\.json: ENOENT/],
    [["monitor", "127.0.0.1", "--interval", "5"], /interval/]
  ])("%j is a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(args)
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })

  it("is a failure where the store cannot be opened or the port is taken", async () => {
    const refused = await run(["monitor", "127.0.0.1", "--store", join(directory, "no", "such.db")])
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/such\.db cannot be opened/) })
    const { server } = await serving()
    const { watch } = await watching("exporter", "127.0.0.1")
    const { url } = objects(watch.output().stdout)[0] as { url: string }
    const second = await run(["exporter", "127.0.0.1", "--bind", new URL(url).host])
    expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/can't listen/) })
    for (const { child } of [watch, server]) child.kill()
  })
})

describe("--store-file", () => {
  it("names the store", async () => {
    const store = join(directory, "elsewhere.db")
    const { watch } = await watching("monitor", "127.0.0.1:1", "--store-file", await write("store", `${store}\n`))
    watch.child.kill("SIGTERM")
    await watch.ended
    expect((await readFile(store)).subarray(0, 6).toString()).toBe("SQLite")
  })

  it("tells nobody the password when the database is not there, and stands in the place of --store", async () => {
    const file = await write("store", "postgres://monitor:hunter2@127.0.0.1:1/monitor")
    const away = await run(["monitor", "127.0.0.1:1", "--store-file", file])
    expect(away.exitCode).toBe(1)
    expect(away.stderr).toMatch(/The store cannot be opened: .*ECONNREFUSED/)
    expect(away.stderr + away.stdout).not.toContain("hunter2")
    const both = await run(["monitor", "127.0.0.1:1", "--store-file", file, "--store", "x"])
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("one will do") as string })
  })
})
