import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseServers, serversFromFlags } from "../../src/proxy/config.ts"

const failureMessage = (result: Result.Result<unknown, { readonly message: string }>): string | undefined =>
  Result.isFailure(result) ? result.failure.message : undefined

describe("the configuration file", () => {
  it("can contain defaults, and each server can override the defaults", () => {
    const text = JSON.stringify({
      defaults: { refreshMs: 1000, limitPerSecond: 20 },
      servers: [
        { upstream: "192.0.2.10:27015", bind: "127.0.0.1:27015" },
        { upstream: "game.example", bind: "[::1]:27016", refreshMs: 5000, limitPerSecond: "none", offlineName: "Gone" }
      ]
    })
    expect(Result.getOrThrow(parseServers(text))).toEqual([
      { upstream: "192.0.2.10:27015", host: "127.0.0.1", port: 27_015, refreshMs: 1000, limit: { perSecond: 20 } },
      { upstream: "game.example", host: "::1", port: 27_016, refreshMs: 5000, limit: "none", offlineName: "Gone" }
    ])
  })

  const server = { upstream: "192.0.2.10", bind: "127.0.0.1:27015" }
  it.each<readonly [config: unknown, message: string]>([
    [{ servers: [server], server }, "there is no setting server"],
    [{ servers: [{ ...server, refreshMS: 1 }] }, "there is no setting servers[0].refreshMS"],
    [{ servers: [{ ...server, rcon: true }] }, "there is no setting servers[0].rcon"],
    [{ servers: [{ ...server, ping: "yes" }] }, "servers[0].ping must be true or false, not a text"],
    [{ defaults: { refreshMs: "2 s" }, servers: [server] }, "defaults.refreshMs must be a number, not a text"],
    [{ servers: [{ ...server, bind: "27015" }] }, '"27015" is not a numeric address'],
    [{ servers: [{ ...server, bind: "game.example:27015" }] }, "is not a numeric address"],
    [{ servers: [{ ...server, bind: "127.0.0.1:99999" }] }, "is not a numeric address"],
    [[], "the file must be an object, not a list"]
  ])("with the content %j, causes the error: %s", (config, message) => {
    expect(failureMessage(parseServers(JSON.stringify(config)))).toContain(message)
  })

  it("causes a single error that lists all problems of the file", () => {
    const message = failureMessage(parseServers(JSON.stringify({ servers: [{ upstream: 1, bind: 2, x: 3 }] })))
    expect(message?.split("; ")).toHaveLength(3)
  })

  it("must be JSON", () => {
    expect(failureMessage(parseServers("servers: []"))).toMatch(/^it is not JSON: unexpected "s"/)
  })
})

describe("flags", () => {
  it("assign consecutive ports to several servers if --bind is given once", () => {
    const servers = Result.getOrThrow(
      serversFromFlags(["192.0.2.1", "192.0.2.2"], ["127.0.0.1:28000"], { refreshMs: 500 })
    )
    expect(servers).toEqual([
      { upstream: "192.0.2.1", host: "127.0.0.1", port: 28_000, refreshMs: 500 },
      { upstream: "192.0.2.2", host: "127.0.0.1", port: 28_001, refreshMs: 500 }
    ])
  })

  it.each([
    [
      "the ports of --bind, if --bind is given for each server",
      ["127.0.0.1:28005", "127.0.0.1:28001"],
      [28_005, 28_001]
    ],
    ["port 0, if the only --bind contains port 0", ["localhost:0"], [0, 0]],
    ["consecutive ports from 27015, if --bind is absent", [], [27_015, 27_016]]
  ])("assign ports to two servers: %s", (_, binds, expected) => {
    const servers = Result.getOrThrow(serversFromFlags(["192.0.2.1", "192.0.2.2"], binds, {}))
    expect(servers.map(({ port }) => port)).toEqual(expected)
  })

  it("require at least one server, and either one --bind address in total or one --bind address per server", () => {
    expect(failureMessage(serversFromFlags([], [], {}))).toMatch(/--upstream HOST:PORT, or --config/)
    expect(failureMessage(serversFromFlags(["a", "b", "c"], ["127.0.0.1:1", "127.0.0.1:2"], {}))).toMatch(
      /2 times for 3/
    )
  })
})
