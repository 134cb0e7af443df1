/** Lists of targets: how sources are read, how lists are stored, and how a monitor uses a list. */
import { assert, describe, expect, it } from "@effect/vitest"
import { MasterFilter } from "@sourcewire/core/master"
import { networkLayer } from "@sourcewire/core/testing"
import { makeMaster } from "@sourcewire/server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeEach } from "vitest"
import { type MonitorConfig, makePlan, mapPaths } from "../src/config/Config.ts"
import { sourceMetrics, listSourceRows } from "../src/http/sources.ts"
import { isGlobalHost, isGlobalUnicast } from "../src/outbound/globalUnicast.ts"
import { request } from "../src/outbound/request.ts"
import { afterReading, fromText, NOTHING, type Reading, toText } from "../src/sources/FoundList.ts"
import { findOrigins, withFound } from "../src/sources/merge.ts"
import { fileReader } from "../src/sources/readFile.ts"
import { readList } from "../src/sources/readList.ts"
import { steamReader } from "../src/sources/readSteam.ts"
import { urlReader } from "../src/sources/readUrl.ts"
import { runSources } from "../src/sources/Sources.ts"
import { type Source, checkSource } from "../src/sources/Source.ts"
import { CAP, listAll, type SteamServer } from "../src/sources/steamSplit.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type MonitorEvent } from "../src/watch/Monitor.ts"
import { inLab, type Lab, planFor } from "./lab.ts"
import { answerTo, KEY, manyServers, startSteamApi } from "./steamApi.ts"

type Given = Parameters<typeof checkSource>[1]

const directory = mkdtempSync(join(tmpdir(), "sourcewire-sources-"))
/** Creates or replaces a file atomically. */
const write = (name: string, text: string): string => {
  const file = join(directory, name)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  return file
}

/** Replies to each request to the HTTP server. Tests replace this function. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
const http = createServer((request, response) => answer(request, response))
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/secret`
const steam = await startSteamApi()

beforeEach(() => {
  answer = (_request, response) => response.end("127.0.0.1:27015\n")
  steam.servers = []
  steam.cap = CAP
  for (const list of [steam.asked, steam.seen, steam.refusals]) list.length = 0
})
afterAll(() => {
  http.close()
  steam.close()
  rmSync(directory, { recursive: true })
})

const listed = (...addresses: ReadonlyArray<string>): Reading => ({
  _tag: "Listed",
  addresses: new Set(addresses),
  junk: 0
})
const source = (given: Given): Source => Result.getOrThrow(checkSource("all", given))

describe("the settings of a source", () => {
  it.each([
    [{}, "a source must have exactly one of file, url, master, steam"],
    [{ file: "a", url: "https://list.example" }, "a source must have exactly one of file, url, master, steam"],
    [{ file: "a", filter: "" }, "filter cannot be combined with file"],
    [{ url: "http://list.example" }, "url must be an https URL (http is allowed if allowLocal is set)"],
    [
      { url: "file:///etc/passwd", allowLocal: true },
      "url must be an https URL (http is allowed if allowLocal is set)"
    ],
    [{ steam: "\\appid" }, "The filter's key appid has no value."],
    [{ steam: "\\appid\\440", api: "http://api" }, "api must be an https URL (http is allowed if allowLocal is set)"],
    [{ master: "a:b" }, /is not an address/],
    [{ master: "a", filter: "x" }, "A filter must start with a backslash, as in \\secure\\1."]
  ])("are rejected: %j", (given, message) => {
    expect(Result.getOrThrow(Result.flip(checkSource("all", given as Given))).message).toMatch(message)
  })

  it.each<readonly [given: Given, defaults: Partial<Source>]>([
    [{ file: "a" }, { kind: "file", where: "a", allowLocal: true, keep: 1 }],
    [{ url: "https://list.example" }, { kind: "url", allowLocal: false, refreshMs: 300_000, keep: 3 }],
    [{ master: "a" }, { kind: "master", allowLocal: false, refreshMs: 600_000, keep: 3, region: "world", filter: "" }],
    [{ steam: "\\appid\\440" }, { kind: "steam", allowLocal: false, refreshMs: 600_000, keep: 3 }]
  ])("have defaults: %j", (given, defaults) => {
    expect(source(given)).toMatchObject(defaults)
  })

  const values = { keep: 9, refreshMs: 10_000, max: 5, maxLossPercent: 7, allowLocal: true }

  it("contain the given values", () => {
    expect(source({ url: "https://list.example", ...values })).toMatchObject(values)
  })

  it("contain a key that does not depend on `keep`, `refreshMs`, `max`, `maxLossPercent` or `allowLocal`", () => {
    const { key } = source({ url: "https://list.example" })
    expect(source({ url: "https://list.example", ...values }).key).toBe(key)
  })

  it("contain a key that depends on the address, the filter and the region of the list", () => {
    const keys = [
      { master: "a" },
      { master: "b" },
      { master: "a", filter: "\\secure\\1" },
      { master: "a", region: "europe" }
    ]
    expect(new Set(keys.map((one) => source(one as Given).key)).size).toBe(keys.length)
  })

  it("can contain paths that are relative to the folder of the configuration file", () => {
    const groups = [{ name: "a", sources: [{ file: "list.txt" }, { steam: "\\appid\\440", keyFile: "/run/key" }] }]
    const plan = Result.getOrThrow(
      makePlan(mapPaths({ groups } as typeof MonitorConfig.Type, (path) => resolve("/etc/monitor", path)))
    )
    expect(plan.sources.map(({ keyFile, where }) => keyFile ?? where)).toEqual(["/etc/monitor/list.txt", "/run/key"])
  })

  it("contain a unique name without secrets", () => {
    expect(source({ url: "https://list.example/secret?token=1" }).name).toBe("url list.example")
    const twice = makePlan({ groups: [{ name: "a", sources: [{ file: "x" }, { file: "x" }] }] })
    expect(Result.getOrThrow(Result.flip(twice)).message).toBe("group a: sources: file x is listed twice")
    const alike = ["a", "b"].map((path) => ({ url: `https://list.example/${path}` }))
    expect(planFor([{ name: "a", sources: alike }]).sources.map(({ name }) => name)).toEqual([
      "url list.example",
      "url list.example (2)"
    ])
  })
})

describe("a list", () => {
  it.each([
    ["lines", "\ufeff# ours\r\n9.9.9.1\n\n rust:9.9.9.2 \n[2600::1]:27015\n9.9.9.1:27015", 3, 0],
    ["an array", '["9.9.9.1", {"address": "9.9.9.2:1"}, {"addr": "9.9.9.3:2"}, 7, null, {}]', 3, 3],
    ["targets in the format of Prometheus", '[{"targets": ["9.9.9.1:1", "9.9.9.2:2"], "labels": {}}]', 2, 0],
    [
      "junk among valid addresses",
      "9.9.9.1\nhello there\n9.9.9.1:99999\n169.254.1.2:27015\n127.0.0.1\nlocalhost",
      1,
      5
    ],
    ["nothing", "", 0, 0]
  ])("can contain %s", async (_name, text, count, junk) => {
    const list = await Effect.runPromise(readList(text, false))
    assert(list._tag === "Listed")
    expect([list.addresses.size, list.junk]).toEqual([count, junk])
  })

  it.each([
    "<!doctype html><p>192.0.2.1",
    '{"servers": []}',
    "[1",
    "Not Found here",
    "[1}",
    '["a" "b"]',
    "[tru]",
    "[1],",
    '[{"addr" 1}]',
    '["9.9.9.9]',
    '[{"a":[1,2}]'
  ])("is rejected if its text is %s", async (text) => {
    expect((await Effect.runPromise(readList(text, false)))._tag).toBe("Failed")
  })

  it("drops a server only after `keep` complete readings without this server", () => {
    let list = NOTHING
    const read = (reading: Reading) =>
      (list = fromText(toText(afterReading(list, reading, { keep: 2, max: 3, maxLossPercent: 100 }, 5))))
    read(listed("a", "b"))
    read(listed("a"))
    expect([...list.missing]).toEqual([
      ["a", 0],
      ["b", 1]
    ])
    read({ _tag: "Failed", message: "status 500" })
    read({ ...(listed("a") as object), partial: "cut off" } as Reading)
    expect(list.missing.size).toBe(2)
    expect(list.status).toMatchObject({ failures: 0, partial: "cut off", succeededAt: 5 })
    read(listed("a", "c", "d", "e"))
    expect([...list.missing.keys()]).toEqual(["a", "c", "d"])
    expect(list.status.surplus).toBe(1)
    read({ _tag: "Unchanged" })
    expect(list.missing.size).toBe(3)
  })

  describe("after some servers have disappeared", () => {
    const rules = { keep: 1, max: 1000, maxLossPercent: 50 }
    const many = (from: number, to: number) =>
      listed(...Array.from({ length: to - from }, (_, i) => `9.9.9.9:${from + i}`))
    const after = (readings: ReadonlyArray<Reading>, given = rules) =>
      readings.reduce((list, reading, i) => fromText(toText(afterReading(list, reading, given, 1000 + i))), NOTHING)

    it.each([
      ["no servers", listed(), 0],
      ["fewer than half of the previous servers", many(0, 49), 49],
      ["only new servers", many(100, 200), 100]
    ])("is rejected if it contains %s, and the previous servers remain in use", (_name, second, servers) => {
      const list = after([many(0, 100), second, second])
      expect([...list.missing.keys()]).toEqual([...after([many(0, 100)]).missing.keys()])
      expect(list.status).toMatchObject({ failures: 0, rejected: { servers, since: 1001 }, succeededAt: 1002 })
    })

    it("is accepted if the share of missing servers does not exceed the limit, or if the list is known to be incomplete", () => {
      expect(after([many(0, 100), many(0, 50)]).missing.size).toBe(50)
      expect(after([many(0, 100), listed()], { ...rules, maxLossPercent: 100 }).missing.size).toBe(0)
      expect(after([many(0, 100), many(0, 99)], { ...rules, maxLossPercent: 0 }).status.rejected).toMatchObject({
        lost: 1
      })
      const partial = after([many(0, 100), { ...(listed() as object), partial: "cut off" } as Reading])
      expect([partial.missing.size, partial.status.rejected]).toEqual([100, undefined])
    })

    it("is also rejected if the servers disappear gradually in several readings", () => {
      const list = after([many(0, 100), many(0, 60), many(0, 40), many(0, 40)], { ...rules, keep: 3 })
      expect([list.missing.size, list.status.rejected]).toEqual([100, { servers: 40, lost: 60, since: 1002 }])
    })

    it.each<readonly [name: string, next: Reading]>([
      ["finds no change", { _tag: "Unchanged" }],
      ["fails", { _tag: "Failed", message: "status 500" }]
    ])("remains rejected if the next reading %s", (_name, next) => {
      expect(after([many(0, 100), listed(), next]).status.rejected).toMatchObject({ lost: 100 })
    })

    it("is accepted when it contains the missing servers again", () => {
      const whole = after([many(0, 100), listed(), many(0, 101)])
      expect([whole.missing.size, whole.status.rejected]).toEqual([101, undefined])
    })
  })

  it("the report about a list contains the number of missing servers and the time of the last attempt to read the list", () => {
    const plan = planFor([{ name: "one", sources: [{ file: "a" }, { file: "b" }] }])
    const missing = new Map([
      ["192.0.2.1:1", 0],
      ["192.0.2.2:2", 2],
      ["192.0.2.3:3", 0]
    ])
    const status = { ...NOTHING.status, triedAt: 5, trouble: "no\u0007 file", partial: "too\u0007 long" }
    const lists = new Map([[plan.sources[0]!.key, { missing, status }]])
    const reported = listSourceRows({ lists, plan: () => plan } as unknown as typeof Monitor.Service)
    expect(reported).toEqual([
      {
        group: "one",
        name: "file a",
        kind: "file",
        servers: 3,
        missing: 1,
        junk: 0,
        surplus: 0,
        failures: 0,
        trouble: expect.not.stringContaining("\u0007"),
        partial: expect.not.stringContaining("\u0007"),
        triedAt: 5
      },
      { group: "one", name: "file b", kind: "file", servers: 0, missing: 0, junk: 0, surplus: 0, failures: 0 }
    ])
  })

  it("a plan contains each server once, even if the server is in several sources or groups", () => {
    const plan = planFor([
      { name: "one", targets: ["192.0.2.1:1"] },
      { name: "two", sources: [{ file: "a" }, { file: "b" }], intervalMs: 60_000 }
    ])
    const [a, b] = plan.sources.map(({ key }) => key)
    const found = (...addresses: ReadonlyArray<string>) => ({
      ...NOTHING,
      missing: new Map(addresses.map((x) => [x, 0]))
    })
    const full = withFound(
      plan,
      new Map([
        [a!, found("192.0.2.1:1", "192.0.2.2:2")],
        [b!, found("192.0.2.2:2")]
      ])
    )
    expect(Array.from(full.targets, ([address, { name }]) => [address, name, findOrigins(full, address)])).toEqual([
      ["192.0.2.1:1", "one", ["configuration", "file a"]],
      ["192.0.2.2:2", "two", ["file a", "file b"]]
    ])
  })
})

describe("an outbound HTTP request", () => {
  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.31.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::808:808",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "fd00::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "nonsense"
  ])("the address '%s' is not global", (address) => expect(isGlobalUnicast(address)).toBe(false))

  it.each([
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "168.63.129.17",
    "172.32.0.0",
    "192.0.1.1",
    "192.31.196.1",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
    "2001:200::1",
    "2600::1",
    "2A00:1450::1"
  ])("the address %s is global", (address) => expect(isGlobalUnicast(address)).toBe(true))

  it.each([
    "0x7f000001",
    "127.0x1",
    "0177.0x1",
    "127.1",
    "2130706433",
    "a.0x7f.1",
    "localhost",
    "x.LOCALHOST.",
    "[::1]"
  ])("the host %s from a list is rejected", (host) => expect(isGlobalHost(host)).toBe(false))

  it.each(["play.example.org", "0x7f.example", "1.example.net", "[2600::1]"])(
    "the host %s from a list is accepted",
    (host) => expect(isGlobalHost(host)).toBe(true)
  )

  it.live(
    "fails if the reply exceeds the size limit, and connects to a local address only if `allowLocal` is set",
    () =>
      Effect.gen(function* () {
        answer = (_request, response) => response.end("x".repeat(1000))
        const allowed = { url, allowLocal: true }
        assert.deepInclude(yield* request({ ...allowed, maxBytes: 1000 }), { body: "x".repeat(1000) })
        const large = yield* request({ ...allowed, maxBytes: 999 })
        assert.deepInclude(large, { status: 0, message: "127.0.0.1: the reply has more than 999 bytes", body: "" })
        for (const local of [url, "http://[::ffff:127.0.0.1]:1/"]) {
          const refused = yield* request({ url: local, allowLocal: false, maxBytes: 9 })
          assert.match(refused.message, /is an address of a local or reserved network/)
        }
      })
  )

  it.live("fails with a reason if the reply is not valid gzip, or is truncated", () =>
    Effect.gen(function* () {
      const read = request({ url, allowLocal: true, maxBytes: 1000 })
      answer = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip")
      assert.deepInclude(yield* read, { status: 0, message: "127.0.0.1: the request failed [Z_DATA_ERROR]" })
      answer = (_request, response) => {
        const packed = gzipSync("x".repeat(100))
        response.writeHead(200, { "content-encoding": "gzip" }).end(packed.subarray(0, packed.length - 9))
      }
      assert.deepInclude(yield* read, { status: 0, message: "127.0.0.1: the request failed [Z_BUF_ERROR]" })
      answer = (_request, response) => {
        response.writeHead(200, { "content-length": 100 }).write("half", () => response.destroy())
      }
      const cut = yield* read
      assert.deepInclude(cut, {
        status: 0,
        message: "127.0.0.1: the connection was closed before the reply was complete"
      })
    })
  )

  it.live.each([
    [302, "status 302: redirections are not followed", false],
    [304, "status 304", false],
    [404, "status 404", false],
    [408, "status 408", true],
    [429, "status 429", true],
    [500, "status 500", true]
  ] as const)("fails with the status %d, and reports whether a retry can succeed", ([status, message, isPassing]) =>
    Effect.gen(function* () {
      answer = (_request, response) => response.writeHead(status, { location: "/other" }).end()
      assert.deepInclude(yield* request({ url, allowLocal: true }), { status, message, isPassing })
    })
  )
})

describe("a list at a URL", () => {
  it.live("is requested with the ETag or the date of the last valid list", () =>
    Effect.gen(function* () {
      const conditions: Array<readonly [tag: string | undefined, date: string | undefined]> = []
      const date = "Tue, 24 Nov 2026 12:00:00 GMT"
      const replies: Array<readonly [status: number, headers: Record<string, string>, body: string]> = [
        [304, {}, ""],
        [200, { "last-modified": date }, "127.0.0.1:1\n"],
        [304, {}, ""],
        [200, { etag: '"b"' }, "<html>"],
        [200, { etag: '"c"' }, "127.0.0.1:2\n"],
        [200, {}, "127.0.0.1:3\n"],
        [200, {}, "127.0.0.1:4\n"]
      ]
      answer = ({ headers }, response) => {
        conditions.push([headers["if-none-match"], headers["if-modified-since"]])
        const [status, given, body] = replies.shift()!
        response.writeHead(status, given).end(body)
      }
      const read = urlReader(source({ url, allowLocal: true }))
      const outcomes: Array<string> = []
      while (replies.length > 0) outcomes.push((yield* read)._tag)
      assert.deepStrictEqual(outcomes, ["Failed", "Listed", "Unchanged", "Failed", "Listed", "Listed", "Listed"])
      assert.deepStrictEqual(conditions, [
        [undefined, undefined],
        [undefined, undefined],
        [undefined, date],
        [undefined, date],
        [undefined, date],
        ['"c"', undefined],
        [undefined, undefined]
      ])
    })
  )
})

describe("a list in a file", () => {
  const reader = (name: string) => {
    let begun = 0
    const file = join(directory, name)
    const read = fileReader(
      { where: file },
      Effect.sync(() => void begun++)
    )
    return { file, read: Effect.map(read, (reading) => [reading, begun] as const) }
  }

  it.effect("is read again after a change, but only when a second poll finds the same version of the file", () =>
    Effect.gen(function* () {
      const { file, read } = reader("polled.txt")
      writeFileSync(file, "9.9.9.1:27015\n")
      const [first, begun] = yield* read
      assert(first?._tag === "Listed")
      assert.deepEqual([[...first.addresses], begun], [["9.9.9.1:27015"], 1])
      assert.deepEqual(yield* read, [undefined, 1])
      writeFileSync(file, "9.9.9.1:27015\n9.9.9.2:27015\n")
      assert.deepEqual(yield* read, [undefined, 1])
      const [second, begunTwice] = yield* read
      assert(second?._tag === "Listed")
      assert.deepEqual([second.addresses.size, begunTwice], [2, 2])
    })
  )

  it.effect("if the file cannot be read, the error contains a reason, but no path and no error code", () =>
    Effect.gen(function* () {
      const cases = [
        ["missing.txt", "it does not exist"],
        [".", "it is a folder"],
        ["polled.txt/part", "a part of its path is not a folder"],
        [`${"x".repeat(300)}.txt`, "the operating system reports an error"]
      ] as const
      writeFileSync(join(directory, "polled.txt"), "9.9.9.1:27015\n")
      for (const [name, reason] of cases) {
        const [reading] = yield* reader(name).read
        assert.deepEqual(reading, { _tag: "Failed", message: `the file cannot be read: ${reason}` })
      }
    })
  )

  it.effect("is not read if the file is larger than 64 MiB, and the error contains this reason", () =>
    Effect.gen(function* () {
      const { file, read } = reader("large.txt")
      writeFileSync(file, "")
      truncateSync(file, 64 * 1024 * 1024 + 1)
      const [reading] = yield* read
      assert.deepEqual(reading, {
        _tag: "Failed",
        message: "the file cannot be read: it has more than 67108864 bytes"
      })
      rmSync(file)
    })
  )
})

describe("a hostile list", () => {
  const SIZE = 16 * 1024 * 1024 - 64
  const times = (text: string, end: string): string => `[${text.repeat(Math.floor(SIZE / text.length))}${end}`

  it.live.each<readonly [name: string, text: string, message: RegExp | undefined]>([
    ["numbers", times("1,", "1]"), /more than 100000 of its entries/],
    ["empty objects", times("{},", "{}]"), /more than 100000 of its entries/],
    ["objects with unknown fields", times('{"a":1},', "{}]"), /more than 100000 of its entries/],
    ["texts similar to addresses", times('"9.9.9.9:99999",', '""]'), /more than 100000 of its entries/],
    ["copies of the same address", times('"9.9.9.9:1",', '"9.9.9.8:1"]'), undefined],
    ["junk among the targets of a group", `[{"targets":${times("1,", "1]")}}]`, /more than 100000 of its entries/],
    ["arrays in arrays", "[".repeat(SIZE), /not valid JSON/],
    ["an object with many fields", `[{${'"a":1,'.repeat(Math.floor(SIZE / 6))}"b":1}]`, /not valid JSON/],
    ["backslashes", `["${"\\\\".repeat(SIZE / 2)}"]`, /none of its 1 entries/],
    ["a text without an end", `["${"x".repeat(SIZE)}`, /not valid JSON/],
    ["empty lines", "\n".repeat(SIZE), /more than 2000000 entries/],
    ["comments", "#\n".repeat(SIZE / 2), /more than 2000000 entries/],
    ["lines of junk", "x y\n".repeat(SIZE / 4), /more than 100000 of its entries/],
    ["one line", "x".repeat(SIZE), /none of its 1 entries/]
  ])("does not block the monitor if it is compressed and contains 16 MiB of %s", ([_name, text, message]) =>
    Effect.gen(function* () {
      const packed = gzipSync(text, { level: 1 })
      answer = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed)
      let [last, longestMs] = [performance.now(), 0]
      const look = setInterval(() => {
        const now = performance.now()
        longestMs = Math.max(longestMs, now - last)
        last = now
      }, 5)
      const reading = yield* urlReader(source({ url, allowLocal: true }))
      clearInterval(look)
      if (message === undefined) assert.strictEqual(reading._tag, "Listed")
      else assert.match((reading as { message: string }).message, message)
      // On a busy machine, the reader needs some tenths of a second. Without a limit on invalid entries, the
      // reader would need minutes.
      assert.isBelow(longestMs, 1500)
    })
  )

  it.live("a valid list with the maximum number of servers is accepted", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 100_000 }, (_, i) => `9.${i >> 16}.${(i >> 8) & 255}.${i & 255}:1`).join("\n")
      const list = yield* readList(text, false)
      assert(list._tag === "Listed")
      assert.strictEqual(list.addresses.size, 100_000)
    })
  )
})

describe("Steam's list", () => {
  const settings = { steam: "\\appid\\252490", api: steam.url, allowLocal: true, keyFile: join(directory, "key") }
  beforeEach(() => writeFileSync(settings.keyFile, `${KEY}\n`))

  /** Reads the list, and advances the virtual clock in steps until the reader has finished. */
  const read = (given: Given = settings) =>
    Effect.gen(function* () {
      const reading = yield* Effect.forkChild(steamReader(source(given)))
      while (reading.pollUnsafe() === undefined) {
        yield* TestClock.adjust(100)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      return yield* Fiber.join(reading)
    })

  it.effect("is complete although Steam truncates replies, and no request contains the key in its URL", () =>
    Effect.gen(function* () {
      steam.servers = manyServers(12_007)
      const reading = yield* read()
      assert(reading._tag === "Listed", JSON.stringify(reading))
      assert.isUndefined(reading.partial)
      assert.strictEqual(reading.addresses.size, 12_007)
      assert.strictEqual(steam.asked.length, 3)
      assert.isTrue(steam.asked.every((filter) => filter.startsWith("\\appid\\252490")))
      assert.isTrue(steam.seen.every((line) => !line.slice(0, line.indexOf(" ")).includes(KEY)))
    })
  )

  it.effect("may contain fields that are null or have an unexpected type", () =>
    Effect.gen(function* () {
      const odd = {
        gametype: null,
        map: 7,
        version: {},
        os: null,
        secure: "yes",
        players: "many"
      }
      steam.servers = manyServers(10_500).map((server, i) => (i % 2 === 0 ? ({ ...server, ...odd } as never) : server))
      const reading = yield* read()
      assert(reading._tag === "Listed", JSON.stringify(reading))
      assert.isAbove(reading.addresses.size, 9999)
    })
  )

  it("is read with few requests even if it has many servers", () => {
    const servers = manyServers(39_989)
    let queries = 0
    const ask = (filter: string) => Effect.sync(() => (queries++, answerTo(servers, filter, CAP)))
    const list = Effect.runSync(listAll([], ask))
    expect(list.partial).toBeUndefined()
    expect(list.addresses.size).toBe(39_989)
    expect(queries).toBeLessThan(16)
  })

  it.effect("is reported as incomplete if the API cannot return all servers", () =>
    Effect.gen(function* () {
      const ask = (servers: ReadonlyArray<SteamServer>) => listAll([], () => Effect.succeed(servers))
      const many = manyServers(CAP)
      const same = Array.from({ length: CAP }, () => ({ addr: "192.0.2.1:1" }))
      assert.match((yield* ask(same)).partial!, /^no condition divides the 10000 servers of $/)
      // An API that ignores conditions always returns the same servers.
      let requests = 0
      const deaf = yield* listAll([], () => Effect.sync(() => (requests++, many)), 10)
      assert.strictEqual(deaf.partial, "it would require more than 10 requests")
      assert.strictEqual(requests, 10)
      // An API that no longer supports a condition returns no servers for this condition.
      const lossy = yield* listAll([], (filter) => Effect.succeed(filter === "" ? many : []))
      assert.match(lossy.partial!, /servers of an earlier reply are missing in/)
      assert.strictEqual(lossy.addresses.size, CAP)
    })
  )

  it.each([
    [0, 1],
    [1, 1],
    [999, 1],
    [1000, 3],
    [1001, 1],
    [3000, 3],
    [9999, 1],
    [10_000, 3],
    [10_001, 3]
  ])(
    "is requested in several parts if the first reply may be truncated (servers in the first reply: %i, requests in total: %i)",
    (count, requests) => {
      let sent = 0
      const ask = () => Effect.sync(() => (sent++ === 0 ? manyServers(count) : []))
      Effect.runSync(listAll([], ask))
      expect(sent).toBe(requests)
    }
  )

  it.each<readonly [name: string, server: (i: number) => Partial<SteamServer>, condition: string]>([
    ["a tag that some servers have", (i) => (i % 2 === 0 ? {} : { gametype: "first,second" }), "\\gametype\\first"],
    ["the address of a host", (i) => ({ addr: `192.0.2.${i % 2}:${i}` }), "\\gameaddr\\192.0.2.0"],
    ...["", undefined, "a\\b", "a*b", "a,b", "a\0b"].map(
      (gamedir) =>
        [
          `a valid value instead of ${JSON.stringify(gamedir)}`,
          (i: number) => ({ gamedir: i % 2 === 0 ? gamedir : "valid" }),
          "\\gamedir\\valid"
        ] as const
    ),
    [
      "a condition that a fifth of the servers meet, not by a map that half of the servers have, because maps change",
      (i) => ({ map: i % 2 === 0 ? "a" : "b", os: i % 5 === 0 ? "l" : "w" }),
      "\\linux\\1"
    ],
    [
      "a map that half of the servers have, not by a condition that a tenth of the servers meet",
      (i) => ({ map: i % 2 === 0 ? "a" : "b", os: i % 10 === 0 ? "l" : "w" }),
      "\\map\\a"
    ]
  ])("is divided by %s", (_name, server, condition) => {
    const servers = Array.from({ length: 1000 }, (_, i) => ({ addr: `192.0.2.1:${i}`, ...server(i) }))
    const asked: Array<string> = []
    const ask = (filter: string) => Effect.sync(() => (asked.push(filter), asked.length === 1 ? servers : []))
    Effect.runSync(listAll([], ask))
    expect(asked).toEqual(["", condition, `\\nor\\1${condition}`])
  })

  it("is requested with filters that contain all excluded conditions in a single `nor` group", () => {
    const asked: Array<string> = []
    const base = Result.getOrThrow(MasterFilter.parse("\\nor\\1\\map\\a\\appid\\1\\nor\\1\\map\\b"))
    const ask = (filter: string) => Effect.sync(() => (asked.push(filter), asked.length === 1 ? manyServers(CAP) : []))
    Effect.runSync(listAll(base, ask))
    const [whole, met, unmet] = asked
    expect(whole).toBe("\\appid\\1\\nor\\2\\map\\a\\map\\b")
    const condition = met!.slice("\\appid\\1".length, met!.indexOf("\\nor"))
    expect(unmet).toBe(`\\appid\\1\\nor\\3\\map\\a\\map\\b${condition}`)
  })

  it.effect(
    "is rejected as a whole if the reply is not a list of servers, and is empty if the reply has no servers",
    () =>
      Effect.gen(function* () {
        const server = JSON.stringify({ addr: "9.9.9.1:27015", appid: 252_490 })
        const list = (...servers: ReadonlyArray<string>) => `{"response":{"servers":[${servers.join(",")}]}}`
        const long = `{"addr":"9.9.9.2:27015","name":"${"x".repeat(16_384)}"}`
        const invalid = [
          "[]",
          "{}",
          '{"response":[]}',
          '{"response":7}',
          '{"response":{"servers":',
          list(server, "7"),
          list(server, "{}"),
          list(server, long),
          list(...Array.from({ length: 50_001 }, () => server))
        ]
        const readFrom = (body: string) => {
          answer = (_request, response) => response.end(body)
          return read({ ...settings, api: new URL(url).origin })
        }
        for (const body of invalid) {
          const message = "the response is not a list of servers"
          assert.deepInclude(yield* readFrom(body), { _tag: "Failed", message }, body.slice(0, 100))
        }
        const one = yield* readFrom(list(server))
        assert(one._tag === "Listed")
        assert.deepEqual([...one.addresses], ["9.9.9.1:27015"])
        const none = yield* readFrom('{"response":{}}')
        assert(none._tag === "Listed")
        assert.strictEqual(none.addresses.size, 0)
      })
  )

  it.effect("is requested again after the pause that Steam requires, and Steam's errors are reported", () =>
    Effect.gen(function* () {
      steam.servers = manyServers(5)
      steam.refusals.push([429, 7], [503])
      const began = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      assert.deepInclude(yield* read(), { _tag: "Listed" })
      const took = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - began
      assert.isAtLeast(took, 7000 + 10_000)
      steam.refusals.push([429, 3600])
      assert.deepInclude(yield* read(), { _tag: "Failed", retryAfterMs: 3_600_000 })
      writeFileSync(settings.keyFile, "wrong-key-wrong-key")
      assert.deepInclude(yield* read(), { _tag: "Failed", message: "status 403: Steam refused the key" })
      writeFileSync(settings.keyFile, "")
      assert.deepInclude(yield* read(), { _tag: "Failed", message: `there is no key in ${settings.keyFile}` })
      const nowhere = yield* read({ steam: settings.steam, keyVariable: "SOURCEWIRE_NO_KEY" })
      assert.deepInclude(nowhere, { message: "there is no key in the environment variable SOURCEWIRE_NO_KEY" })
    })
  )
})

describe("a monitor with sources", () => {
  /**
   * Waits until a condition is true. Meanwhile, virtual time passes for the queries of servers, and real time for the requests for lists.
   */
  const until = (lab: Lab, what: () => boolean) =>
    Effect.gen(function* () {
      while (!what()) {
        yield* lab.pass(1)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))
      }
    })
  const start = Effect.fnUntraced(function* (lab: Lab, config: Parameters<typeof planFor>[0]) {
    const running = yield* lab.watch(planFor(config))
    const services = Context.make(Monitor, running.monitor).pipe(Context.add(Store, running.store))
    const onEvent = (event: MonitorEvent): void => void lab.events.push(event)
    yield* runSources(onEvent).pipe(Effect.provideContext(services), Effect.provide(networkLayer(lab.network)))
    return running
  })
  const watched = ({ targets }: typeof Monitor.Service) => Array.from(targets.values(), ({ address }) => address).sort()
  const messages = (lab: Lab) => lab.events.flatMap(({ event, message }) => (event === "source" ? [message] : []))

  it.effect("adopts the changes of a file, while the queries of unchanged targets continue", () =>
    inLab(join(directory, "file.db"), (lab) =>
      Effect.gen(function* () {
        yield* lab.serve(27_015)
        yield* lab.serve(27_016)
        const file = write("list.txt", "127.0.0.1:27015\n")
        const { monitor } = yield* start(lab, [{ name: "all", sources: [{ file }], intervalMs: 1000 }])
        yield* until(lab, () => monitor.find("127.0.0.1:27015")?.known.state === "up")
        const first = monitor.find("127.0.0.1:27015")!
        write("list.txt", "127.0.0.1:27015\n127.0.0.1:27016\nno address\n")
        yield* until(lab, () => monitor.find("127.0.0.1:27016")?.known.state === "up")
        assert.strictEqual(monitor.find("127.0.0.1:27015"), first)
        assert.deepStrictEqual(findOrigins(monitor.plan(), "127.0.0.1:27016"), [`file ${file}`])
        write("list.txt", "127.0.0.1:27016")
        yield* until(lab, () => watched(monitor).length === 1)
        rmSync(file)
        yield* until(lab, () => messages(lab).length === 4)
        assert.deepStrictEqual(watched(monitor), ["127.0.0.1:27016"])
        const [, second, third, last] = messages(lab)
        assert.strictEqual(second, `group all, file ${file}: 2 servers (1 new, 1 invalid entry skipped)`)
        assert.strictEqual(third, `group all, file ${file}: 1 server (1 removed)`)
        assert.strictEqual(
          last,
          `group all, file ${file}: the file cannot be read: it does not exist; the old list stays in use (1 server)`
        )
      })
    )
  )

  it.effect("uses the last list of a URL while requests to this URL fail, even after a restart of the monitor", () =>
    inLab(join(directory, "url.db"), (lab) =>
      Effect.gen(function* () {
        const text = (...ports: ReadonlyArray<number>) => ports.map((port) => `127.0.0.1:${port}\n`).join("")
        const asked: Array<string | undefined> = []
        const replies: Array<readonly [status: number, body: string]> = [[200, text(1, 2)]]
        answer = (request, response) => {
          asked.push(request.headers["if-none-match"])
          const [status, body] = replies.length > 1 ? replies.shift()! : replies[0]!
          response.writeHead(status, { etag: '"a"' }).end(body)
        }
        const config = [{ name: "all", sources: [{ url, allowLocal: true, refreshMs: 60_000, keep: 2 }] }]
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { monitor, stop } = yield* start(lab, config)
            yield* until(lab, () => asked.length === 1 && watched(monitor).length === 2)
            replies.push([304, ""], [500, "<html>"])
            replies.shift()
            yield* until(lab, () => asked.length === 3 && messages(lab).length === 2)
            assert.deepStrictEqual(asked, [undefined, '"a"', '"a"'])
            const { name } = monitor.plan().sources[0]!
            const row = { group: "all", kind: "url", servers: 2, missing: 0, failures: 1, trouble: "status 500" }
            expect(listSourceRows(monitor)).toMatchObject([{ name, ...row }])
            expect(sourceMetrics(monitor)).toContain(
              `sourcewire_monitor_source_failures{group="all",source="${name}"} 1\n`
            )
            assert.deepStrictEqual(watched(monitor), ["127.0.0.1:1", "127.0.0.1:2"])
            yield* stop
          })
        )
        const { monitor } = yield* start(lab, config)
        assert.deepStrictEqual(watched(monitor), ["127.0.0.1:1", "127.0.0.1:2"])
        replies.push([200, "<html>"], [200, text(2, 3)])
        replies.shift()
        yield* until(lab, () => watched(monitor).length === 3)
        yield* until(lab, () => watched(monitor).length === 2)
        assert.deepStrictEqual(watched(monitor), ["127.0.0.1:2", "127.0.0.1:3"])
        const where = `group all, url ${new URL(url).host}`
        assert.deepStrictEqual(messages(lab), [
          `${where}: 2 servers (2 new)`,
          `${where}: status 500; the old list stays in use (2 servers)`,
          `${where}: it is a web page, not a list; the old list stays in use (2 servers)`,
          `${where}: 3 servers (1 new)`,
          `${where}: 2 servers (1 removed)`
        ])
        assert.notInclude(JSON.stringify(lab.events), "secret")
      })
    )
  )

  it.effect("reports and rejects a list that has become empty, but accepts this list if `maxLossPercent` is 100", () =>
    inLab(join(directory, "emptied.db"), (lab) =>
      Effect.gen(function* () {
        const file = write("emptied.txt", "127.0.0.1:1\n127.0.0.1:2\n127.0.0.1:3\n")
        const config = (more: object = {}) => [{ name: "all", sources: [{ file, ...more }] }]
        const { monitor } = yield* start(lab, config())
        yield* until(lab, () => watched(monitor).length === 3)
        write("emptied.txt", "")
        yield* until(lab, () => messages(lab).length === 2)
        yield* lab.pass(10)
        assert.strictEqual(watched(monitor).length, 3)
        const { level, message } = lab.events.at(-1)!
        assert.strictEqual(level, "warn")
        assert.match(
          message,
          /: the new list is rejected: it has 0 servers, and 3 of the 3 servers in use are missing\..* maxLossPercent/
        )
        expect(listSourceRows(monitor)).toMatchObject([{ servers: 3, failures: 0, rejected: { servers: 0, lost: 3 } }])
        const name = monitor.plan().sources[0]!.name
        const metric = `sourcewire_monitor_source_rejected{group="all",source="${name}"}`
        expect(sourceMetrics(monitor)).toContain(`${metric} 3\n`)
        yield* monitor.follow(planFor(config({ maxLossPercent: 100 })))
        yield* until(lab, () => watched(monitor).length === 0)
        expect(sourceMetrics(monitor)).toContain(`${metric} 0\n`)
      })
    )
  )

  it.effect("continues to use the previous list if a URL returns several empty lists and then the status 304", () =>
    inLab(join(directory, "empty-url.db"), (lab) =>
      Effect.gen(function* () {
        let asked = 0
        const texts = ['["127.0.0.1:1","127.0.0.1:2"]', "[]", "[]", "[]"]
        answer = (request, response) => {
          const text = texts[asked++]
          if (text === undefined && request.headers["if-none-match"] === '"a"') return response.writeHead(304).end()
          response.writeHead(200, { etag: '"a"' }).end(text ?? '["127.0.0.1:2","127.0.0.1:3"]')
        }
        const { monitor } = yield* start(lab, [
          { name: "all", sources: [{ url, allowLocal: true, refreshMs: 10_000 }] }
        ])
        yield* until(lab, () => asked === 6)
        yield* lab.pass(5)
        assert.deepStrictEqual(watched(monitor), ["127.0.0.1:1", "127.0.0.1:2"])
        assert.strictEqual(messages(lab).length, 2)
      })
    )
  )

  it.effect("does not request a URL before the time in the Retry-After header of the last reply", () =>
    inLab(join(directory, "retry-after.db"), (lab) =>
      Effect.gen(function* () {
        const asked: Array<number> = []
        let now = 0
        answer = (_request, response) => {
          asked.push(now)
          if (asked.length === 1) response.writeHead(503, { "retry-after": "300" }).end()
          else response.end("127.0.0.1:1\n")
        }
        const { monitor } = yield* start(lab, [
          { name: "all", sources: [{ url, allowLocal: true, refreshMs: 10_000 }] }
        ])
        for (; watched(monitor).length === 0; now++) {
          yield* lab.pass(1)
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
        }
        // Without the header, the monitor would read the list again after ten seconds.
        assert.isAtLeast(asked[1]! - asked[0]!, 299)
        assert.isAtMost(asked[1]! - asked[0]!, 310)
      })
    )
  )

  it.effect(
    "waits before it reads a list again if the process crashed during the last attempt, and logs the pause",
    () =>
      inLab(join(directory, "died.db"), (lab) =>
        Effect.gen(function* () {
          let asked = 0
          answer = (_request, response) => {
            asked++
            response.end("127.0.0.1:1\n")
          }
          const config = [{ name: "all", sources: [{ url, allowLocal: true, refreshMs: 10_000 }] }]
          yield* Effect.scoped(
            Effect.gen(function* () {
              // The attempt to read the list is stored before the list has arrived.
              let release = (): void => undefined
              answer = (_request, response) => {
                asked++
                release = () => response.end("127.0.0.1:1\n")
              }
              const { store, stop } = yield* start(lab, config)
              yield* until(lab, () => asked === 1)
              const [{ key }] = planFor(config).sources as [Source]
              assert.strictEqual((yield* store.unfinishedReading(key))!.attempts, 1)
              yield* store.beginReading(key, 1_795_000_000_000)
              release()
              yield* stop
            })
          )
          answer = (_request, response) => {
            asked++
            response.end("127.0.0.1:1\n")
          }
          const { monitor, store } = yield* start(lab, config)
          yield* lab.pass(20)
          assert.strictEqual(asked, 1)
          assert.match(
            messages(lab).at(-1)!,
            /: 2 attempts to read the list did not end; it is read again in (2[0-9]|30) seconds$/
          )
          yield* until(lab, () => watched(monitor).length === 1)
          assert.strictEqual(yield* store.unfinishedReading(monitor.plan().sources[0]!.key), undefined)
        })
      )
  )

  it.effect("combines the lists of a master server and of Steam, and monitors each server once", () =>
    inLab(join(directory, "master.db"), (lab) =>
      Effect.gen(function* () {
        const servers = ["127.0.0.1:27015", "127.0.0.1:27016"].map((address) => ({ address }))
        yield* makeMaster({ port: 27_011, servers }).pipe(Effect.provide(networkLayer(lab.network)))
        const keyFile = write("steam.key", KEY)
        steam.servers = [
          { addr: "127.0.0.1:27016", appid: 440 },
          { addr: "127.0.0.1:27017", appid: 440 }
        ]
        const sources = [
          { master: "127.0.0.1:27011", allowLocal: true },
          { steam: "\\appid\\440", keyFile, api: steam.url, allowLocal: true }
        ]
        const { monitor } = yield* start(lab, [{ name: "all", sources }])
        yield* until(lab, () => watched(monitor).length === 3)
        assert.deepStrictEqual(findOrigins(monitor.plan(), "127.0.0.1:27016"), [
          "master 127.0.0.1:27011",
          "steam \\appid\\440"
        ])
        // After a change of the configuration, the stored lists of the sources are used immediately.
        yield* monitor.follow(
          planFor([
            { name: "other", sources: [] },
            { name: "all", sources: [sources[0]!] }
          ])
        )
        assert.deepStrictEqual(watched(monitor), ["127.0.0.1:27015", "127.0.0.1:27016"])
        yield* until(lab, () => monitor.lists.size > 0)
        assert.notInclude(JSON.stringify([lab.events, [...monitor.lists]]), KEY)
      })
    )
  )
})
