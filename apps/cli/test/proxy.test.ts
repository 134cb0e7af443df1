import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { objects, run, start } from "./runCli.ts"

// The tests start many programs, and the machine may be busy. Therefore the time limit is long.
vi.setConfig({ testTimeout: 180_000 })

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-proxy-"))
})
afterEach(() => rm(directory, { recursive: true }))

type Running = ReturnType<typeof start>

const until = (condition: () => boolean): Promise<boolean> => vi.waitUntil(condition, { timeout: 60_000, interval: 10 })

/** Waits until the log contains the text. */
const logged = (running: Running, text: string) => until(() => running.output().stderr.includes(text))

const stop = async (running: Running, signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
  running.child.kill(signal)
  return await running.ended
}

/** Starts an emulated server, and returns the server and its address. */
const serving = async (...args: ReadonlyArray<string>) => {
  const server = start(["serve", "--json", ...args])
  await server.printed("\n")
  return { server, upstream: String(objects(server.output().stdout)[0]!["listening"]) }
}

/** Starts a proxy. Returns the proxy, and the addresses at which the proxy receives queries. */
const proxying = async (...args: ReadonlyArray<string>) => {
  const proxy = start(["proxy", "--json", ...args])
  await proxy.printed('"upstream"')
  const listening = objects(proxy.output().stdout).flatMap((line) =>
    "upstream" in line ? [String(line["listening"])] : []
  )
  return { proxy, listening }
}

const readMap = async (address: string): Promise<unknown> => {
  const { stdout } = await run(["info", "--json", "--timeout", "20000", address])
  const [line] = objects(stdout) as [{ ok: boolean; info?: { map: string } }]
  return line.ok ? line.info!.map : undefined
}

describe("proxy", () => {
  it("without --json, prints text, even if its output is a pipe", async () => {
    const args = ["--upstream", "127.0.0.1:1", "--bind", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
    const proxy = start(["proxy", ...args])
    await proxy.printed("Ctrl-C")
    const { exitCode, stdout } = await stop(proxy)
    expect(stdout).toMatch(
      /^Metrics: http:\/\/127\.0\.0\.1:\d+\/metrics\nReplying on 127\.0\.0\.1:\d+ for 127\.0\.0\.1:1\nNo cache file\. Press Ctrl-C to stop\.\n$/
    )
    expect(exitCode).toBe(0)
  })

  it("replies in place of a game server, serves metrics and health, and exits with code 0 after SIGTERM", async () => {
    const { server, upstream } = await serving("--port", "0", "--profile", "cs16")
    const { proxy, listening } = await proxying(
      "--upstream",
      upstream,
      "--bind",
      "127.0.0.1:0",
      "--metrics",
      "127.0.0.1:0",
      "--log",
      "json"
    )
    await logged(proxy, '"fresh"')
    const direct = objects((await run(["query", "--json", upstream])).stdout)[0]!
    const through = objects((await run(["query", "--json", listening[0]!])).stdout)[0]!
    const answers = ({ info, legacyInfo, players, rules }: Record<string, unknown>) => ({
      info,
      legacyInfo,
      players,
      rules
    })
    expect(answers(through)).toEqual(answers(direct))

    const { metrics } = objects(proxy.output().stdout)[0]! as { metrics: string }
    expect(await (await fetch(metrics)).text()).toMatch(/sourcewire_proxy_requests_total\{.*kind="rules"\} 1/)
    const health = await fetch(metrics.replace("metrics", "health"))
    expect([health.status, await health.json()]).toMatchObject([
      200,
      { ok: true, servers: [{ upstream, state: "fresh" }] }
    ])
    expect((await fetch(metrics.replace("metrics", "live"), { method: "POST" })).status).toBe(405)
    expect((await fetch(metrics.replace("metrics", ""))).status).toBe(404)

    const { exitCode, stderr } = await stop(proxy)
    expect(exitCode).toBe(0)
    expect(objects(stderr).map(({ event, level }) => `${level} ${event}`)).toEqual([
      "info listening",
      "info state",
      "info stopped"
    ])
    await stop(server)
  })

  it("reloads its configuration file, and keeps the old settings if the file is invalid", async () => {
    const [first, second] = await Promise.all([
      serving("--port", "0", "--map", "de_one"),
      serving("--port", "0", "--map", "de_two")
    ])
    const file = join(directory, "proxy.json")
    const write = async (config: unknown) => {
      // Writes a new file, and then replaces the configuration file with the new file, as an editor does.
      await writeFile(`${file}~`, typeof config === "string" ? config : JSON.stringify(config))
      await rename(`${file}~`, file)
    }
    const server = { upstream: first.upstream, bind: "127.0.0.1:0", refreshMs: 200 }
    await write({ servers: [server] })
    const { proxy, listening } = await proxying("--config", file)
    const [address] = listening
    const log = () => proxy.output().stderr
    await logged(proxy, "responds\n")

    await write({ servers: [{ ...server, upstreem: "127.0.0.1:1" }] })
    await logged(proxy, "there is no setting servers[0].upstreem")
    await write("{")
    await logged(proxy, "it is not JSON")
    await write({ servers: [{ ...server, bind: second.upstream }] })
    await logged(proxy, "EADDRINUSE")
    await rm(file)
    await logged(proxy, "ENOENT")
    expect(await readMap(address!)).toBe("de_one")

    await write({ servers: [server, { upstream: second.upstream, bind: "127.0.0.1:0" }] })
    await logged(proxy, "was reloaded: 2 servers")
    const added = [...log().matchAll(/^info (\S+) replies for/gm)].at(-1)![1]
    await until(() => log().includes(`${second.upstream} responds\n`))
    expect(await Promise.all([readMap(address!), readMap(added!)])).toEqual(["de_one", "de_two"])

    proxy.child.kill("SIGHUP")
    await until(() => log().split("was reloaded").length === 3)
    await Promise.all([stop(proxy), stop(first.server), stop(second.server)])
  })

  it("restores its cache after SIGKILL", async () => {
    const { server, upstream } = await serving("--port", "0", "--map", "de_kept", "--profile", "tf2")
    const file = join(directory, "cache.json")
    const args = ["--upstream", upstream, "--bind", "127.0.0.1:0", "--refresh", "100", "--cache-file", file]
    for (let round = 0; round < 3; round++) {
      const { proxy } = await proxying(...args)
      const before = await readFile(file, "utf8").catch(() => "")
      await vi.waitUntil(async () => (await readFile(file, "utf8").catch(() => "")) !== before, {
        timeout: 60_000,
        interval: 3
      })
      await stop(proxy, "SIGKILL")
      expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 1, servers: [{ upstream }] })
    }
    await stop(server, "SIGKILL")
    const { proxy, listening } = await proxying(...args)
    expect(await readMap(listening[0]!)).toBe("de_kept")
    const { stderr } = await stop(proxy)
    expect(stderr).not.toMatch(/ignored/)
    expect(await readdir(directory)).toEqual(["cache.json"])
  })

  it("if the cache file cannot be written, continues, and logs only the first failure and the next success", async () => {
    const { server, upstream } = await serving("--port", "0", "--map", "de_kept")
    const folder = join(directory, "later")
    const file = join(folder, "cache.json")
    const args = ["--upstream", upstream, "--bind", "127.0.0.1:0", "--refresh", "100", "--cache-file", file]
    const { proxy, listening } = await proxying(...args)
    await logged(proxy, `warn ${file} cannot be written: there is no such file or directory [ENOENT]`)
    expect(await readMap(listening[0]!)).toBe("de_kept")
    await mkdir(folder)
    await logged(proxy, `info ${file} is written again`)
    await rm(folder, { recursive: true })
    await until(() => proxy.output().stderr.split("cannot be written").length === 3)
    const { exitCode, stderr } = await stop(proxy)
    expect(exitCode).toBe(0)
    expect(stderr.match(/cannot be written|is written again/g)).toHaveLength(3)
    await stop(server)
  })

  it("ignores an invalid cache file, and logs a warning", async () => {
    const file = join(directory, "cache.json")
    await writeFile(file, '{"version":1,"servers":[{"upstream":7}]}')
    const { proxy } = await proxying("--upstream", "127.0.0.1:1", "--bind", "127.0.0.1:0", "--cache-file", file)
    const { stderr } = await stop(proxy)
    expect(stderr).toMatch(/warn .*cache\.json is ignored: it is not the cache of a proxy/)
  })

  it.each<readonly [args: ReadonlyArray<string>, exitCode: number, message: RegExp]>([
    [[], 2, /Use --upstream HOST:PORT, or --config/],
    [["--upstream", "1.2.3"], 2, /is not an address/],
    [["--upstream", "127.0.0.1:27015"], 2, /would query itself/],
    [["--upstream", "127.0.0.1", "--config", "x.json"], 2, /--config cannot be combined with --upstream/],
    [["--config", "nowhere.json"], 2, /Cannot read nowhere\.json: there is no such file/],
    [["--upstream", "127.0.0.1", "--bind", "27016"], 2, /is not a numeric address/],
    [["--upstream", "127.0.0.1", "--bind", "127.0.0.1:0", "--metrics", "x"], 2, /is not a numeric address/],
    [
      ["--upstream", "127.0.0.1", "--bind", "127.0.0.1:0", "--refresh", "5"],
      2,
      /--refresh of .* must be from 100 to \d+ ms, not 5/
    ]
  ])("rejects %j", async (args, exitCode, message) => {
    const ended = await run(["proxy", ...args])
    expect(ended).toMatchObject({ exitCode, stdout: "" })
    expect(ended.stderr).toMatch(message)
  })

  it("reports a port in use", async () => {
    const { server, upstream } = await serving("--port", "0")
    const { exitCode, stderr } = await run(["proxy", "--upstream", "127.0.0.1:1", "--bind", upstream])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/is in use \(EADDRINUSE\)/)
    })
    await stop(server)
  })
})
