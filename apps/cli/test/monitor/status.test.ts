import type { Api } from "@sourcewire/monitor"
import { describe, expect, it } from "vitest"
import { isWell, statusLines, summaryOf, troublesOf } from "../../src/monitor/statusView.ts"
import { plain } from "../../src/output/text.ts"
import { run } from "../runCli.ts"

const report = {
  version: "1.2.3",
  upMs: 7_500_000,
  targets: 25_000,
  perSecond: 1667,
  waiting: 3,
  lagMs: 120,
  ages: { p50Ms: 7600, p99Ms: 14_900, maxMs: 75_000 },
  wroteMs: 200,
  lost: 0
}
const alive = { name: "eu-1:9155", alive: true, self: true, silentMs: 0, slices: 150, report }
const FLEET: typeof Api.FleetStatus.Type = {
  shared: true,
  slices: 300,
  orphaned: 50,
  runners: [
    alive,
    { name: "eu-2:9155", alive: true, self: false, silentMs: 1500, slices: 100, report: { ...report, lost: 2 } },
    { name: "\u001b[31mevil", alive: false, self: false, silentMs: 45_000, slices: 50, report },
    { name: "old:9155", alive: false, self: false, slices: 0 }
  ]
}

describe("monitor status", () => {
  it("has a line for each machine, and a sentence for what is wrong", () => {
    expect([summaryOf(FLEET), ...statusLines(FLEET, { columns: 120, palette: plain }), ...troublesOf(FLEET)]).toEqual([
      "2 of 4 machines, 50,000 servers, 3,334 asked a second, 300 slices",
      "machine    version  slices  servers  a second  age 50 %  99 %   late  wrote",
      "eu-1:9155  1.2.3       150   25,000     1,667     7.6 s  14 s  0.1 s  0.2 s  up 2 h",
      "eu-2:9155  1.2.3       100   25,000     1,667     7.6 s  14 s  0.1 s  1.7 s  up 2 h",
      "␛[31mevil  1.2.3        50   25,000     1,667     7.6 s  14 s  0.1 s   45 s  gone for 45 s",
      "old:9155   –             0        –         –         –     –      –      –  says nothing",
      "50 slices are of machines that are gone.",
      "eu-2:9155 lost 2 changes and hours."
    ])
  })

  it("is well while all are there and can write", () => {
    const well = { ...FLEET, orphaned: 0, runners: [alive] }
    expect(isWell(well)).toBe(true)
    expect(isWell(FLEET)).toBe(false)
    expect(isWell({ ...well, runners: [{ ...alive, report: { ...report, storeTrouble: "disk full" } }] })).toBe(false)
    expect(isWell({ ...well, trouble: "the database is away" })).toBe(false)
  })

  it.each([
    [["ftp://127.0.0.1"], /no place of a monitor/],
    [["http://127.0.0.1:9155", "http://127.0.0.1:9156"], /one at a time/],
    [["--store", "monitor.db"], /--store postgres:\/\//],
    [["--store", "postgres://127.0.0.1/x", "http://127.0.0.1:9155"], /no monitor is asked/]
  ])("%j is a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(["monitor", "status", ...args])
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })
})
