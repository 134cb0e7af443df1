/** Tests the reports and exports of a running monitor. */
import type { Api } from "@sourcewire/monitor"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { formatLength, formatMarkdown } from "../../src/monitor/runReport.ts"
import { objects, run, type Running, start } from "../runCli.ts"

const HOUR_MS = 3_600_000
const figures = { upMs: 0, downMs: 0, mutedMs: 0, unmonitoredMs: 0, incidents: 0, longestMs: 0 }

const REPORT: typeof Api.Report.Type = {
  from: Date.UTC(2026, 9, 1),
  to: Date.UTC(2026, 10, 1),
  groups: [
    {
      group: "public",
      ...figures,
      upMs: 700 * HOUR_MS,
      downMs: 44 * HOUR_MS,
      share: 0.949_99,
      incidents: 1200,
      longestMs: 90_000_000,
      servers: [
        {
          target: 1,
          address: "192.0.2.1:27015",
          name: "<b>|*evil*",
          ...figures,
          share: 0.999_999,
          downMs: 59_000,
          incidents: 1,
          longestMs: 59_000
        },
        { target: 2, address: "192.0.2.2:27015", ...figures, unmonitoredMs: 744 * HOUR_MS }
      ]
    }
  ]
}

describe("a report", () => {
  it("contains a Markdown table per group, and escapes the names of servers", () => {
    expect(formatMarkdown(REPORT)).toEqual([
      "# Availability from 2026-10-01 to 2026-11-01 (UTC)",
      "",
      "| group | availability | down | incidents | longest | muted | not monitored |",
      "|---|--:|--:|--:|--:|--:|--:|",
      "| public | 94.99 % | 1 d 20 h | 1,200 | 1 d 1 h | 0 | 0 |",
      "",
      "## public",
      "",
      "| server | availability | down | incidents | longest | muted | not monitored |",
      "|---|--:|--:|--:|--:|--:|--:|",
      "| \\<b\\>\\|\\*evil\\* (192.0.2.1:27015) | 99.99 % | 59 s | 1 | 59 s | 0 | 0 |",
      "| 192.0.2.2:27015 | not monitored | 0 | 0 | 0 | 0 | 31 d |"
    ])
    expect([0, 59_400, 60_000, 5_400_000, 86_400_000].map(formatLength)).toEqual([
      "0",
      "59 s",
      "1 min",
      "1 h 30 min",
      "1 d"
    ])
  })
})

describe("a running monitor", () => {
  let [directory, url]: Array<string> = []
  let monitor: Running
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "sourcewire-report-"))
    const flags = ["--json", "--bind", "127.0.0.1:0", "--store", ":memory:", "--interval", "1000"]
    // No program listens at this port.
    monitor = start(["monitor", ...flags, "127.0.0.1:1"], { env: { XDG_STATE_HOME: directory } })
    await monitor.printed("\n")
    url = String(objects(monitor.output().stdout)[0]!["url"])
    await vi.waitUntil(async () => (await (await fetch(`${url}/api/incidents`)).text()).includes("reason"), {
      timeout: 60_000,
      interval: 50
    })
  })
  afterAll(async () => {
    monitor.child.kill("SIGTERM")
    await monitor.ended
    await rm(directory!, { recursive: true })
  })

  it("creates reports as Markdown, CSV and JSON", async () => {
    const day = new Date().toISOString().slice(0, 10)
    const report = (...args: ReadonlyArray<string>) => run(["monitor", "report", url!, "--from", day, ...args])
    const markdown = await report()
    expect(markdown).toMatchObject({ exitCode: 0, stderr: "" })
    expect(markdown.stdout).toMatch(/^# Availability from .*\n\n\| group \|.*\n.*\n\| default \| 0\.00 % \|/)
    const csv = (await report("--format", "csv")).stdout.trimEnd().split("\n")
    expect(csv).toHaveLength(2)
    expect(csv[0]).toBe("from,to,group,address,name,share,upMs,downMs,mutedMs,unmonitoredMs,incidents,longestMs")
    expect(csv[1]).toContain(",default,127.0.0.1:1,,0,0,")
    const json = objects((await report("--format", "json", "--group", "default")).stdout)
    expect(json).toMatchObject([{ group: "default", incidents: 1, servers: [{ address: "127.0.0.1:1", share: 0 }] }])
    // By default, the report covers the previous month, and the monitor did not run in that month.
    const last = await run(["monitor", "report", url!])
    expect(last.stdout).toMatch(/^\| default \| not monitored \|/m)
  })

  it("exports incidents, changes and samples", async () => {
    const exported = (...args: ReadonlyArray<string>) => run(["monitor", "export", url!, ...args])
    const incidents = await exported()
    expect(incidents.exitCode).toBe(0)
    expect(objects(incidents.stdout)).toMatchObject([
      { address: "127.0.0.1:1", reason: "Timeout", isOngoing: true, isMuted: false }
    ])
    expect(objects((await exported("--what", "changes")).stdout)).toMatchObject([{ field: "state", to: "down" }])
    const samples = (await exported("--what", "samples", "--format", "csv")).stdout
    expect(samples).toMatch(/^address,group,name,at,asked,answered,upMs,downMs,mutedMs,.*\n127\.0\.0\.1:1,default,,20/)
    expect(await exported("--group", "nobody")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("There is no group nobody.")
    })
  })

  it.each([
    [["report", "--month", "2026-13"], /2026-10/],
    [["report", "--month", "2026-10", "--from", "2026-10-01"], /Give one of them/],
    [["report", "--to", "2026-10-01"], /--from/],
    [["report", "--from", "yesterday"], /not a date/],
    [["export", "--from", "2026-10-02", "--to", "2026-10-01"], /empty/],
    [["export", "http://127.0.0.1:1", "http://127.0.0.1:2"], /use one URL/]
  ])("the arguments %j cause a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(["monitor", ...args])
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })
})
