/** Tests the exporter with a real Prometheus, and the alert rules with the tool `promtool` of Prometheus. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it, vi } from "vitest"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import { objects, start } from "../runCli.ts"

const promtool = externalProgram("promtool", "prometheus")
const prometheus = externalProgram("prometheus", "prometheus")
const deploy = fileURLToPath(new URL("../../../../deploy/", import.meta.url))

const directory = mkdtempSync(join(tmpdir(), "sourcewire-prometheus-"))
afterAll(() => rmSync(directory, { recursive: true }))

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Starts an emulated server, and an exporter that queries this server and a closed port. */
const exporting = async () => {
  const server = start(["serve", "--json", "--port", "0"])
  await server.printed("\n")
  const address = String(objects(server.output().stdout)[0]!["listening"])
  const flags = ["--json", "--bind", "127.0.0.1:0", "--interval", "1000"]
  const exporter = start(["exporter", ...flags, address, "127.0.0.1:1"])
  await exporter.printed("\n")
  const url = String(objects(exporter.output().stdout)[0]!["url"])
  const page = (): Promise<string> => fetch(`${url}/metrics`).then((response) => response.text())
  await vi.waitUntil(
    async () => (await page()).includes(`sourcewire_server_up{target="127.0.0.1:1",group="default"} 0`),
    {
      timeout: 60_000,
      interval: 100
    }
  )
  const stop = (): void => [server, exporter].forEach(({ child }) => child.kill())
  return { address, page, stop, url }
}

/** Returns the queries that Grafana sends for all panels if all groups and the server at `address` are selected. */
const dashboardQueries = (address: string): ReadonlyArray<string> => {
  const folder = join(deploy, "grafana", "dashboards")
  const queries = readdirSync(folder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      readonly panels: ReadonlyArray<{ readonly targets?: ReadonlyArray<{ readonly expr: string }> }>
    }
    return panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr.replaceAll("$group", ".*").replaceAll("$target", address))
    )
  })
  expect(queries.length).toBeGreaterThan(9)
  return queries
}

describe.skipIf(promtool === undefined || prometheus === undefined)("Prometheus", () => {
  const check = (args: ReadonlyArray<string>, input?: string) =>
    spawnSync(promtool!, args, {
      cwd: join(deploy, "prometheus"),
      encoding: "utf8",
      ...(input === undefined ? {} : { input })
    })

  it("accepts the names, types and units of all metrics", async () => {
    const { page, stop } = await exporting()
    const { status, stderr, stdout } = check(["check", "metrics"], await page())
    stop()
    expect(stdout + stderr).toBe("")
    expect(status).toBe(0)
  })

  it.each([
    [["check", "rules", "alerts.yml"]],
    [["test", "rules", "alerts.test.yml"]],
    [["check", "config", "--syntax-only", "prometheus.yml"]]
  ])("accepts the files of deploy/prometheus: promtool %j", (args) => {
    const { status, stderr, stdout } = check(args)
    expect({ status, printed: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, printed: "" })
  })

  it("scrapes an exporter, and returns data for each query of the dashboards", async () => {
    const { address, stop, url } = await exporting()
    const file = join(directory, "prometheus.yml")
    const scrape = { job_name: "sourcewire", scrape_interval: "1s", static_configs: [{ targets: [new URL(url).host] }] }
    writeFileSync(
      file,
      JSON.stringify({ scrape_configs: [scrape], rule_files: [join(deploy, "prometheus", "alerts.yml")] })
    )
    const listen = `127.0.0.1:${await freePort()}`
    const flags = [`--config.file=${file}`, `--storage.tsdb.path=${directory}/data`, `--web.listen-address=${listen}`]
    const server = spawn(prometheus!, flags, { stdio: "ignore" })
    const ask = async (
      query: string
    ): Promise<ReadonlyArray<{ readonly metric: object; readonly value: [number, string] }>> => {
      const answer = await fetch(`http://${listen}/api/v1/query?query=${encodeURIComponent(query)}`).catch(
        () => undefined
      )
      if (answer?.ok !== true) return []
      return ((await answer.json()) as { data: { result: Awaited<ReturnType<typeof ask>> } }).data.result
    }
    try {
      const up = await vi.waitUntil(
        async () => {
          const found = await ask("sourcewire_server_up")
          return found.length === 2 ? found : undefined
        },
        { timeout: 60_000, interval: 100 }
      )
      expect(up.map(({ value }) => value[1]).toSorted()).toEqual(["0", "1"])
      expect(await ask("sourcewire_server_players")).toMatchObject([{ metric: { target: address } }])
      expect(await ask("sourcewire_server_info")).toHaveLength(1)
      for (const query of dashboardQueries(address)) {
        expect([query, (await ask(query)).length]).toEqual([query, 1])
      }
    } finally {
      const ended = new Promise((resolve) => server.once("exit", resolve))
      server.kill()
      await ended
      stop()
    }
  })
})

it("the exporter exports all metrics that the dashboards and the alerts use", async () => {
  const { page, stop } = await exporting()
  const text = await page()
  stop()
  const names = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!))
  const dashboards = join(deploy, "grafana", "dashboards")
  const files = [
    ...readdirSync(dashboards).map((file) => join(dashboards, file)),
    join(deploy, "prometheus", "alerts.yml")
  ]
  for (const file of files) {
    const asked = [...readFileSync(file, "utf8").matchAll(/\bsourcewire_\w+/g)].map(([name]) => name)
    expect(asked.length).toBeGreaterThan(3)
    expect([file, ...asked.filter((name) => !names.has(name))]).toEqual([file])
  }
})
