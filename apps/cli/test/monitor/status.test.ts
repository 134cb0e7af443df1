import type { Api } from "@sourcewire/monitor"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { isWell, statusLines, formatSummary, listTroubles } from "../../src/monitor/statusView.ts"
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
  it("prints a line for each instance, and a sentence for each problem", () => {
    expect([
      formatSummary(FLEET),
      ...statusLines(FLEET, { columns: 120, palette: plain }),
      ...listTroubles(FLEET)
    ]).toEqual([
      "2 of 4 instances, 50,000 servers, 3,334 queries per second, 300 slices",
      "instance   version  slices  servers  per second  age 50 %  99 %   late  wrote",
      "eu-1:9155  1.2.3       150   25,000       1,667     7.6 s  14 s  0.1 s  0.2 s  up 2 h",
      "eu-2:9155  1.2.3       100   25,000       1,667     7.6 s  14 s  0.1 s  1.7 s  up 2 h",
      "␛[31mevil  1.2.3        50   25,000       1,667     7.6 s  14 s  0.1 s   45 s  gone for 45 s",
      "old:9155   –             0        –           –         –     –      –      –  no report",
      "50 slices belong to instances that are gone.",
      "eu-2:9155 lost 2 records of history."
    ])
  })

  it("succeeds only if all instances are alive, can write to the store, and query the servers of their slices", () => {
    const well = { ...FLEET, orphaned: 0, runners: [alive] }
    expect(isWell(well)).toBe(true)
    expect(isWell(FLEET)).toBe(false)
    expect(isWell({ ...well, runners: [{ ...alive, report: { ...report, storeTrouble: "disk full" } }] })).toBe(false)
    expect(isWell({ ...well, trouble: "the database is away" })).toBe(false)
    const idle = { ...well, runners: [{ ...alive, report: { ...report, unqueried: 2 } }] }
    expect(isWell(idle)).toBe(false)
    expect(listTroubles(idle)).toEqual(["eu-1:9155 has locked 2 slices and does not query their servers; see its log."])
  })

  describe("if a URL is given", () => {
    /** Starts an HTTP server that responds to every request with this status, and with the body that `write` writes. */
    const replying = async (status: number, write: (response: ServerResponse) => void) => {
      const paths: Array<string | undefined> = []
      const server = createServer((request, response) => {
        paths.push(request.url)
        response.writeHead(status)
        write(response)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      return { paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }

    it.each([
      [200, { ok: true, targets: 7, waiting: 1 }, 0, /^$/],
      [
        503,
        { ok: false, targets: 7, waiting: 1, store: "the disk is full" },
        0,
        /The store cannot be written: the disk is full/
      ],
      [503, { ok: false, targets: 7, waiting: 1, unqueriedSlices: 2 }, 1, /2 locked slices are not queried/],
      [404, { message: "There is nothing here." }, 1, /not the status of a monitor/]
    ])("for the response %s %j, exits with %s", async (status, body, expected, complaint) => {
      const { paths, url } = await replying(status, (response) => response.end(JSON.stringify(body)))
      const { exitCode, stderr } = await run(["monitor", "status", "--self", url])
      expect(stderr).toMatch(complaint)
      expect(exitCode).toBe(expected)
      expect(paths).toEqual(["/health"])
    })

    it.each([[[]], [["--self"]]])("with the flags %j, exits with 1 if the response is endless", async (args) => {
      const { url } = await replying(200, (response) => {
        const more = (): void => {
          while (response.write("x".repeat(1_000_000)));
        }
        response.on("drain", more)
        more()
      })
      const { exitCode, stderr } = await run(["monitor", "status", ...args, url])
      expect(stderr).toMatch(/Cannot read the status: the response is larger than 16 MiB/)
      expect(exitCode).toBe(1)
    })
  })

  it.each([
    [["--self", "--store", "postgres://127.0.0.1/x"], /cannot be combined with --store/],
    [["--self", "--watch"], /cannot be combined with --watch/],
    [["ftp://127.0.0.1"], /not the URL of a monitor/],
    [["http://127.0.0.1:9155", "http://127.0.0.1:9156"], /use one URL/],
    [["--store", "monitor.db"], /--store postgres:\/\//],
    [["--store", "postgres://127.0.0.1/x", "http://127.0.0.1:9155"], /--store cannot be combined with a URL/]
  ])("%j is a usage error", async (args, complaint) => {
    const { exitCode, stderr } = await run(["monitor", "status", ...args])
    expect(stderr).toMatch(complaint)
    expect(exitCode).toBe(2)
  })
})

it("if the directory of the store cannot be created, the monitor names the directory and suggests a solution", async () => {
  const { exitCode, stderr } = await run(["monitor", "127.0.0.1:1", "--bind", "127.0.0.1:0"], {
    env: { XDG_STATE_HOME: "/dev/null/x" }
  })
  expect(stderr).toMatch(
    /Cannot create \/dev\/null\/x\/sourcewire: a part of the path is not a directory \[ENOTDIR\]\. Use --store FILE, or set XDG_STATE_HOME\./
  )
  expect(exitCode).toBe(1)
})
